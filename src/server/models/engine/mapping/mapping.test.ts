import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EngineError } from '#server/models/engine/engine.ts';
import { MappingSyntaxError } from './expression.ts';
import { compileMapping } from './mapping.ts';
import { createMappingContext } from './mapping-context.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emulsion-mapping-'));
  await writeFile(join(folder, 'reference-0.png'), 'pixels');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const media = { kind: 'image', mime_type: 'image/png', extension: 'png', size_bytes: 6, width: 8, height: 4 } as const;
const context = () =>
  createMappingContext(
    {
      task: 'image.edit',
      model: 'imgmodel-a-2',
      input: { prompt: 'a pear', aspect_ratio: '16:9', images: [{ url: 'https://example.com/a.png' }] },
      references: [
        {
          path: 'images.0',
          url: 'https://example.com/a.png',
          role: null,
          file: join(folder, 'reference-0.png'),
          media: { ...media, duration_seconds: null, fps: null, has_audio: false },
        },
      ],
      submit_key: 'gen_1',
    },
    { answer: { id: 7 } },
  );
const evaluate = (expression: string) => compileMapping(expression)(context());
const failure = async (expression: string) => {
  const error: unknown = await evaluate(expression).catch((caught: unknown) => caught);
  if (!(error instanceof EngineError)) throw new Error(`No engine error: ${String(error)}`);
  return error;
};

describe('a mapping', () => {
  test.each([
    ['input.prompt', 'a pear'],
    ['{ "p": input.prompt, "n": 1, "key": submit_key, "id": answer.id }', { p: 'a pear', n: 1, key: 'gen_1', id: 7 }],
    ['references[kind = "image"].{ "w": width }', { w: 8 }],
    ['references.path', 'images.0'],
    ['[references.path]', ['images.0']],
    ['$split(input.aspect_ratio, ":").$number($)', [16, 9]],
    ['input.nothing', undefined],
    ['function($x) { $x }', undefined],
    ['{ "a": $uppercase, "b": 1 }', { b: 1 }],
  ])('%s', async (expression, expected) => {
    expect(await evaluate(expression)).toEqual(expected);
  });

  test('reads only files of the references', async () => {
    const expected = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`;
    expect(await evaluate('$dataUri(references[0])')).toBe(expected);
    expect(await evaluate('$dataUri("images.0")')).toBe(expected);
    expect(await evaluate('$dataUri(references[5])')).toBeUndefined();
    expect((await failure('$dataUri("/etc/passwd")')).message).toContain('configuration');
  });

  test('exposes neither the environment nor local paths', async () => {
    expect(await evaluate('$env')).toBeUndefined();
    expect(JSON.stringify(await evaluate('$'))).not.toContain(folder);
    await failure('$env("HOME")');
  });

  test('cannot change the context of other mappings', async () => {
    const shared = context();
    await compileMapping('$append(references, 1) ~> $reverse')(shared);
    await compileMapping('$ ~> |input|{"prompt": "changed"}|')(shared);
    await compileMapping('$sort(references, function($a, $b) { true })')(shared);
    expect(await compileMapping('input.prompt')(shared)).toBe('a pear');
    expect(await compileMapping('$count(references)')(shared)).toBe(1);
  });

  test('fails with the message of $error', async () => {
    expect((await failure('$error("Pick a shorter clip.")')).message).toBe('Pick a shorter clip.');
  });

  test('reports other errors to the log only', async () => {
    const error = await failure('input.prompt + 1');
    expect(error.message).not.toContain('prompt');
    expect(String(error.cause)).toContain('input.prompt + 1');
  });
});

describe('a runaway mapping', () => {
  test.each([
    ['a loop', '($f := function($n) { $f($n + 1) }; $f(1))'],
    ['a recursion', '($f := function($n) { 1 + $f($n + 1) }; $f(1))'],
    ['a text without end', '$reduce([1..1000], function($a, $b) { $a & $a })'],
    ['a flood', '[1..9999999].{ "x": $ }'],
  ])('%s', async (_name, expression) => {
    const error = await failure(expression);
    expect(String(error.cause)).toMatch(/D10|D20|RangeError/);
  });
});

test('invalid JSONata is reported with its position', () => {
  expect(() => compileMapping('{ "a": ')).toThrow(MappingSyntaxError);
  expect(() => compileMapping('input.(')).toThrow(/^is not a JSONata expression at character \d+: /);
});
