import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { imageStep, createDefinition } from '#server/studio/workflows/testing/workflow-fixture.ts';
import { readTemplateNames } from '#server/studio/workflows/expression/template-names.ts';
import { parseDefinition } from './parse-definition.ts';
import { NO_ADDED_MODELS } from './step-models.ts';

const read = (definition: unknown) =>
  parseDefinition(definition, null, async (templates) => readTemplateNames(templates), NO_ADDED_MODELS);
const problemsOf = async (definition: unknown): Promise<string[]> => {
  const result = await read(definition);
  return result.ok ? [] : result.problems.map(({ path, message }) => `${path}: ${message}`);
};
const withSteps = (...steps: WorkflowDefinition['steps']) => createDefinition({ steps });
const asking = (input_schema: Record<string, unknown>) =>
  createDefinition({ input_schema, steps: [imageStep('a', 'a')] });
const property = (property: unknown, required: string[] = []) =>
  asking({ type: 'object', properties: { it: property }, required });

const rowsOf = (properties: object, required: string[] = []) => ({
  type: 'array',
  items: { type: 'object', properties, required },
});

describe('a definition', () => {
  it('is parsed with all ancestors of each step', async () => {
    const result = await read(
      withSteps(
        imageStep('c', '{{ steps.b.output.assets[0].url }} of {{ $count($$.steps.a.output.assets) }}'),
        imageStep('b', 'b', { when: 'steps.a.status = "succeeded"', for_each: '[1..3]' }),
        imageStep('a', 'a'),
        imageStep('d', 'd', { needs: ['c'] }),
      ),
    );
    const steps = result.ok ? result.workflow.steps : [];
    expect(steps.map(({ key, needs, ancestors }) => [key, [...needs], [...ancestors].sort()])).toEqual([
      ['c', ['b', 'a'], ['a', 'b']],
      ['b', ['a'], ['a']],
      ['a', [], []],
      ['d', ['c'], ['a', 'b', 'c']],
    ]);
    expect(result.ok && [...result.workflow.result_steps]).toEqual(['d']);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'x', 'This must be an object.'],
    ['no steps', createDefinition({ steps: [] }), 'steps: Steps must have at least 1 item.'],
    ['an unknown property', { ...withSteps(imageStep('a', 'a')), colour: 1 }, 'colour: Unknown field “colour”.'],
    [
      'a slug that is none',
      { ...withSteps(imageStep('a', 'a')), slug: 'No Slug' },
      'slug: Use lowercase letters and digits, separated by single hyphens.',
    ],
    [
      'NUL in a prompt',
      withSteps(imageStep('a', 'a\u0000')),
      'steps.0.input.prompt: This text contains a NUL character, which cannot be stored.',
    ],
    [
      'two steps alike',
      withSteps(imageStep('a', 'a'), imageStep('a', 'b')),
      'steps.1.key: Two steps have the key “a”.',
    ],
    [
      'a circle',
      withSteps(imageStep('a', '{{ steps.b.status }}'), imageStep('b', 'b', { needs: ['a'] })),
      'steps.0.needs: This step depends on itself, directly or through other steps.',
    ],
    [
      'a step that waits for itself',
      withSteps(imageStep('a', '{{ steps.a.status }}')),
      'steps.0.needs: This step depends on itself, directly or through other steps.',
    ],
    ['an unknown need', withSteps(imageStep('a', 'a', { needs: ['z'] })), 'steps.0.needs: Unknown step “z”.'],
    [
      'an unknown step in an expression',
      withSteps(imageStep('a', '{{ steps.z.output }}')),
      'steps.0.needs: Unknown step “z”.',
    ],
    [
      'an unknown step in the output',
      createDefinition({ steps: [imageStep('a', 'a')], output: { x: '{{ steps.z.output }}' } }),
      'output.x: Unknown step “z”.',
    ],
    [
      'an unknown input',
      withSteps(imageStep('a', '{{ input.z }}')),
      'steps.0.input.prompt: The input has no field “z”.',
    ],
    [
      'an unknown task',
      withSteps(imageStep('a', 'a', { task: 'image.paint' })),
      'steps.0.task: Unknown task “image.paint”.',
    ],
    ['an unknown model', withSteps(imageStep('a', 'a', { model: 'nobody' })), 'steps.0.model: Unknown model “nobody”.'],
    [
      'a model of another task',
      withSteps(imageStep('a', 'a', { model: 'lipsync-v3' })),
      'steps.0.model: lipsync-v3 does not support “Create an image”',
    ],
    [
      'a missing model',
      withSteps(imageStep('a', 'a', { model: null })),
      'steps.0.model: “Create an image” needs a model. Available: ',
    ],
    [
      'a model for a tool',
      withSteps(imageStep('a', 'a', { task: 'video.trim' })),
      'steps.0.model: “Trim a video” does not take a model. Remove "model" from the step.',
    ],
    [
      'an invalid expression',
      withSteps(imageStep('a', 'a {{ steps.( }}')),
      'steps.0.input.prompt: This is not a JSONata expression',
    ],
    [
      'an unclosed brace',
      withSteps(imageStep('a', 'a {{ input')),
      'steps.0.input.prompt: This has a {{ without its }}.',
    ],
    [
      'a condition that is none',
      withSteps(imageStep('a', 'a', { when: '1 +' })),
      'steps.0.when: This is not a JSONata expression',
    ],
    [
      'a field the task has not',
      withSteps(imageStep('a', 'a', { input: { prompt: 'a', colour: 'red' } })),
      'steps.0.input.colour: Unknown field “colour”.',
    ],
    [
      'such a field by an expression',
      withSteps(imageStep('a', 'a', { input: { prompt: 'a', colour: '{{ 1 }}' } })),
      'steps.0.input.colour: Unknown field “colour”.',
    ],
    ['a missing field', withSteps(imageStep('a', 'a', { input: {} })), 'steps.0.input.prompt: Prompt is required.'],
    [
      'a value out of bounds',
      withSteps(imageStep('a', 'a', { input: { prompt: '{{ 1 }}', resolution: '9K' } })),
      'steps.0.input.resolution: Size must be one of 1K, 2K, 4K.',
    ],
    [
      'values that exclude each other',
      withSteps(imageStep('a', 'a', { input: { prompt: 'a', aspect_ratio: '5:4', resolution: '4K' } })),
      'steps.0.input.resolution: The shapes auto',
    ],
    [
      'a most that depends on a step',
      withSteps(imageStep('a', 'a'), imageStep('b', 'b', { for_each: '[1]', max_items: '{{ steps.a.x }}' })),
      'steps.1.max_items: max_items can only use the input.',
    ],
    [
      'a most without a list',
      withSteps(imageStep('a', 'a', { max_items: 3 })),
      'steps.0.max_items: max_items needs for_each.',
    ],
    ['too many items', withSteps(imageStep('a', 'a', { for_each: '[1]', max_items: 51 })), 'steps.0.max_items'],
    [
      'an example that does not fit',
      { ...property({ type: 'integer', default: 1 }), example_input: { it: 'x' } },
      'example_input.it: It must be a number.',
    ],
    [
      'an example of an unknown field',
      { ...property({ type: 'integer', default: 1 }), example_input: { z: 1 } },
      'example_input.z: Unknown field “z”.',
    ],
    [
      'an oversized definition',
      withSteps(imageStep('a', 'a', { input: { prompt: 'x'.repeat(200_000) } })),
      'steps: This workflow is too large.',
    ],
  ])('with %s is rejected', async (_what, definition, expected) => {
    const problems = await problemsOf(definition);
    expect(problems.some((problem) => problem.startsWith(expected) || problem.endsWith(expected))).toBe(true);
  });

  it('reports all problems at once, each with its step', async () => {
    const result = await read({
      ...withSteps(
        imageStep('a', '{{ ( }}'),
        imageStep('b', 'b', { task: 'x' }),
        imageStep('c', 'c', { needs: ['z'] }),
      ),
      output: { o: '{{ ) }}' },
    });
    expect(result.ok ? [] : result.problems.map(({ step_key }) => step_key)).toEqual(['a', 'b', 'c', null]);
    const shapeless = await read({ ...withSteps(imageStep('a', 'a')), steps: [{ key: 'q', name: 1 }] });
    expect(shapeless.ok ? [] : shapeless.problems.map(({ step_key }) => step_key)).toContain('q');
  });

  it('skips rules between fields when one is an expression', async () => {
    const input = { prompt: 'a', aspect_ratio: '{{ "16:9" }}', resolution: '4K' };
    expect(await problemsOf(withSteps(imageStep('a', 'a', { input })))).toEqual([]);
  });
});

describe('the input schema of a workflow', () => {
  it.each<[string, unknown, string[]?]>([
    ['a text', { type: 'string', minLength: 2, maxLength: 10, 'x-multiline': true, examples: ['x'] }, ['it']],
    ['a choice', { enum: ['a', 'b'], default: 'a', 'x-labels': { a: 'A' } }],
    ['a number', { type: ['number', 'null'], exclusiveMinimum: 0, 'x-empty': 'Any' }],
    ['a size', { 'x-size': { minimum: 64, maximum: 2048, step: 8 }, enum: ['square'], default: 'square' }],
    ['an object', { type: ['object', 'null'], properties: { scale: { type: 'number', default: 1 } } }],
    ['rows', { type: 'array', items: { type: 'object', properties: { it: { type: 'string' } }, required: ['it'] } }],
    ['a list', { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 }, ['it']],
    ['several of a choice', { type: 'array', items: { enum: ['a', 'b'] } }],
    ['a text with a default', { type: 'string', default: 'blurry' }],
    ['a choice with texts of one’s own', { enum: ['a'], 'x-own': 20, default: 'b' }],
    ['a number without its maximum', { type: 'number', exclusiveMaximum: 1, multipleOf: 0.1, default: 0.5 }],
    ['a switch that can be left unset', { type: ['boolean', 'null'] }],
    [
      'a size with a default in pixels',
      { 'x-size': { minimum: 64, maximum: 2048 }, default: { width: 64, height: 64 } },
    ],
    [
      'rows with media and lists',
      rowsOf({ it: { type: 'object', 'x-media': 'image' }, a: { type: 'array', items: { type: 'string' } } }),
      ['it'],
    ],
    ['a list with a default', { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] }],
    ['JSON', { type: ['object', 'null'], 'x-json': ['plan'] }],
    ['an optional text', { type: ['string', 'null'], maxLength: 80 }],
    ['a whole number', { type: 'integer', minimum: 1, maximum: 5 }, ['it']],
    ['a switch', { type: 'boolean' }],
    ['a date', { type: ['string', 'null'], format: 'date-time' }],
    ['a medium', { type: 'object', 'x-media': 'video' }],
    ['media', { type: 'array', items: { type: 'object', 'x-media': 'image' }, minItems: 1 }, ['it']],
  ])('may be %s', async (_what, given, required) => {
    expect(await problemsOf(property(given, required))).toEqual([]);
  });

  it.each<[string, unknown, string[], string]>([
    [
      'a text that may be left out',
      { type: 'string' },
      [],
      'A text is listed under “required”, has a default, or its type allows null.',
    ],
    ['a choice without default', { enum: ['a'] }, [], 'Add a default, or list it under “required”.'],
    ['a default that is no option', { enum: ['a'], default: 'b' }, [], 'The default must be one of the options.'],
    ['a default out of bounds', { type: 'integer', minimum: 3, default: 1 }, [], 'The default is out of range.'],
    ['an object of anything', { type: 'object' }, [], 'x-media'],
    ['a size that is upside down', { 'x-size': { minimum: 9, maximum: 8 } }, ['it'], 'The minimum is greater'],
    ['a size without default', { 'x-size': { minimum: 1, maximum: 8 } }, [], 'Add a default'],
    ['an object without fields', { type: 'object', properties: {} }, ['it'], '1 to 20 properties'],
    ['an object in an object', { type: 'object', properties: { a: { type: 'object' } } }, ['it'], '“a” must be'],
    ['rows with a text that may be left out', rowsOf({ a: { type: 'string' } }), [], '“a”: A text is listed'],
    ['rows that need what is not there', rowsOf({ a: { type: 'boolean' } }, ['b']), [], 'no property “b”'],
    ['a list of switches', { type: 'array', items: { type: 'boolean' } }, [], 'Items are texts, numbers or options.'],
    [
      'an optional list that may not be empty',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [],
      'List it',
    ],
    ['a tuple', { type: 'array', items: [{}] }, [], 'items'],
    ['what is not known', { type: 'string', pattern: 'x' }, ['it'], 'Unknown field “pattern”.'],
    ['no type', {}, [], 'The type must be text, number, boolean, date, choice or media.'],
    ['a name that is not there', { type: 'boolean' }, ['other'], 'There is no property “other”.'],
  ])('may not be %s', async (_what, given, required, expected) => {
    expect((await problemsOf(property(given, required))).some((problem) => problem.includes(expected))).toBe(true);
  });
});

describe('expressions of a definition', () => {
  it('have a common size limit', async () => {
    const list = `{{ [${'1,'.repeat(4_850)}1] }}`;
    const problems = await problemsOf(withSteps(...Array.from({ length: 6 }, (_, n) => imageStep(`s${n}`, list))));
    // Five fit, and equal ones count once.
    expect(problems).toEqual([]);
    const different = Array.from({ length: 6 }, (_, n) => imageStep(`s${n}`, `${n} ${list.replace('1,', `${n},`)}`));
    expect(await problemsOf(withSteps(...different))).toEqual([
      'steps.5.input.prompt: This exceeds the 50,000 characters that all expressions of a workflow may have together.',
    ]);
  });
});
