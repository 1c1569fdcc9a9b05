import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { ADAPTERS } from './adapters.ts';
import { COMMON_ENGINE_OPTIONS } from './create-configured-engine.ts';
import { formatProblem } from '#server/platform/core/validation-problems.ts';
import { readEngines } from './read-engines.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/engines.md'), 'utf8');
const sections = text.split(/^## /m).map((section) => ({
  name: section.split('\n')[0] ?? '',
  section,
  examples: [...section.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json)),
}));
const read = (example: unknown) =>
  readEngines(example, { openService: createFetcher().createService, readEnv: (name) => `value-of-${name}` });

describe('every example is valid', () => {
  test.each(sections.flatMap(({ name, examples }) => examples.map((example) => ({ name, example }))))(
    'under “$name”',
    ({ example }) => {
      const got = read(example);
      expect(got.ok ? [] : got.problems.map(formatProblem)).toEqual([]);
    },
  );
});

describe.each(Object.entries(ADAPTERS))('the adapter %s', (name, { option_names }) => {
  const own = sections.find((section) => section.name === name);

  test('has an example with an assignment', () => {
    const used = (own?.examples ?? []).flatMap((example) => {
      const got = read(example);
      const named = Object.entries<{ adapter: string }>(example.engines)
        .filter(([, { adapter }]) => adapter === name)
        .map(([engine]) => engine);
      return got.ok ? got.setup.engines.filter((engine) => named.some((one) => engine.name.startsWith(`${one}/`))) : [];
    });
    expect(used).not.toEqual([]);
  });

  test('has all options documented', () => {
    expect(option_names.filter((option) => !own?.section.includes(`\`${option}\``))).toEqual([]);
  });
});

test('documents the common options of engines', () => {
  const engines = sections.find(({ name }) => name === 'Engines')?.section ?? '';
  expect(COMMON_ENGINE_OPTIONS.filter((option) => !engines.includes(`\`${option}\``))).toEqual([]);
});
