import { expect, it } from 'vitest';
import type { Asset } from '#contract/resources/generation.ts';
import { describeOutput, type OutputShape, presentOutput } from './prediction-output.ts';

const assets = (count: number) => Array.from({ length: count }, (_, index) => ({ url: `u${index}` }) as Asset);
const named = (...names: string[]): OutputShape => ({
  kind: 'object',
  files: names.map((name) => ({ name: name.replace('[]', ''), many: name.endsWith('[]') })),
});

it.each([
  [{ kind: 'one' }, 1, null, 'u0'],
  [{ kind: 'one' }, 2, null, ['u0', 'u1']],
  [{ kind: 'one' }, 0, { output: 'words' }, 'words'],
  [{ kind: 'list' }, 1, { seconds: 3 }, ['u0']],
  [{ kind: 'text' }, 0, { output: 'words' }, ['words']],
  [{ kind: 'data' }, 0, { output: [1, 2] }, [1, 2]],
  [{ kind: 'data' }, 0, { scores: [1], label: 'x' }, { scores: [1], label: 'x' }],
  [{ kind: 'data' }, 0, null, null],
  [named('audio', 'spectrogram'), 2, { seed: 1 }, { seed: 1, audio: 'u0', spectrogram: 'u1' }],
  [named('audio', 'spectrogram'), 1, null, { files: ['u0'] }],
  [named('frames[]'), 2, null, { frames: ['u0', 'u1'] }],
  [named('mesh'), 0, { text: 'x' }, { text: 'x' }],
] as const satisfies [OutputShape, number, Record<string, unknown> | null, unknown][])(
  'of the shape %j with %i files and %j is %j',
  (shape, count, data, expected) => {
    expect(presentOutput(shape, { assets: assets(count), data })).toEqual(expected);
  },
);

it('has a schema', () => {
  const FILE = { type: 'string', format: 'uri' };
  expect(describeOutput({ kind: 'one' })).toMatchObject(FILE);
  expect(describeOutput({ kind: 'list' })).toMatchObject({ type: 'array', items: FILE });
  expect(describeOutput(named('audio', 'frames[]'))).toMatchObject({
    properties: { audio: FILE, frames: { type: 'array', items: FILE } },
  });
});
