import { describe, expect, it, test } from 'vitest';
import { MappingSyntaxError } from '#server/models/engine/mapping/expression.ts';
import { createMappingContext } from '#server/models/engine/mapping/mapping-context.ts';
import { compileComfyUiWorkflow } from './compile-workflow.ts';

const context = createMappingContext(
  {
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'a {{ pear }}', size: '1536x1024', none: null },
    references: [],
  },
  { seed: 7 },
);

async function compileInput(value: unknown): Promise<unknown> {
  const workflow = await compileComfyUiWorkflow({ '6': { class_type: 'Node', inputs: { value } } })(context);
  return workflow['6']?.inputs['value'];
}

describe('a value in a workflow', () => {
  test.each<[unknown, unknown]>([
    ['{{ seed }}', 7],
    ['{{ $split(input.size, "x")[0].$number() }}', 1536],
    ['{{ { "a": { "b": seed }} }}', { a: { b: 7 } }],
    ['{{{ "a": { "b": seed }}}}', { a: { b: 7 } }],
    ['{{ [seed, seed] }}', [7, 7]],
    ['{{ input.none }}', null],
    ['{{ input.nothing }}', undefined],
    ['{{ "}}" }}', '}}'],
    ['{{ input.prompt }}', 'a {{ pear }}'],
    ['seed {{ seed }}, {{ input.prompt }}{{ input.nothing }}', 'seed 7, a {{ pear }}'],
    ['', ''],
    ['{a|b}', '{a|b}'],
    [
      ['4', 0],
      ['4', 0],
    ],
    [
      ['{{ input.nothing }}', '{{ seed }}'],
      [null, 7],
    ],
    [{ deep: { seed: '{{ seed }}', gone: '{{ input.nothing }}' } }, { deep: { seed: 7 } }],
    [1.5, 1.5],
  ])('%j becomes %j', async (value, expected) => {
    expect(await compileInput(value)).toEqual(expected);
  });
});

test('keeps the other properties of a node', async () => {
  const node = { class_type: '{{ seed }}', inputs: {}, _meta: { title: '{{ seed }}' } };
  expect(await compileComfyUiWorkflow({ '1': node })(context)).toEqual({ '1': node });
});

describe('an invalid placeholder', () => {
  it.each([
    ['{{ input.( }}', /^has a placeholder in node 6 \(Node\) that is not a JSONata expression at character \d+: /],
    ['{{ seed', /^has a placeholder in node 6 \(Node\) that has a \{\{ without its \}\}$/],
  ])('reports the node of %s', (value, message) => {
    const compile = () => compileComfyUiWorkflow({ '6': { class_type: 'Node', inputs: { value } } });
    expect(compile).toThrow(MappingSyntaxError);
    expect(compile).toThrow(message);
  });
});
