import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
/** What ends a hanging test, in `vite.config.ts`. */
const DEFAULT_MS = 240_000;

/** Files with a shorter limit, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/server/http/compat/replicate/replicate-client.test.ts': 'how long its client waits for a result, in seconds',
  'src/server/http/compat/openai/retries.test.ts': 'its client gives up and tries again',
  'e2e/long-words.more.spec.ts': 'polls many views softly and reports all that are too wide',
};

/** A step that is repeated until it succeeds may end early. */
const REPEATED = /expect\(async \(\) => \{[\s\S]*?\}\)\.toPass\(\)/g;
const LIMITS = [
  // An option of a test, an expectation or a wait.
  /\btimeout: ([\d_]+)/g,
  // The last argument of a test.
  /^ *\}, ([\d_]{4,})\);$/gm,
  // What the product is given; shorter ones are there to end.
  /\btimeoutMs: (\d{1,3}(?:_\d{3}){1,2})/g,
  /\b(?:AbortSignal\.timeout|request\.setTimeout)\((\d{1,3}(?:_\d{3}){1,2})/g,
];

const findLimits = (text: string): number[] =>
  LIMITS.flatMap((limit) => [...text.replaceAll(REPEATED, '').matchAll(limit)])
    .map(([, digits = '']) => Number(digits.replaceAll('_', '')))
    .filter((limitMs) => limitMs < DEFAULT_MS);

it('no test ends a wait earlier than a test that hangs, for the machine may be slow', () => {
  const files = globSync(['src/**/*.test.{ts,tsx}', 'e2e/*.spec.ts'], { cwd: root });
  expect(files.length).toBeGreaterThan(400);
  const found = files.filter((file) => findLimits(readFileSync(join(root, file), 'utf8')).length > 0);
  expect(found.toSorted()).toEqual(Object.keys(EXCEPTIONS).toSorted());
});

it('no test of the browser waits for a fixed time', () => {
  const files = globSync('e2e/*.spec.ts', { cwd: root });
  expect(files.filter((file) => readFileSync(join(root, file), 'utf8').includes('waitForTimeout'))).toEqual([]);
});
