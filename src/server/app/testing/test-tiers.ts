import { globSync } from 'node:fs';
import type { TestProjectConfiguration } from 'vitest/config';
import { filesThatNeedFfmpeg, hasFfmpeg } from './needs-ffmpeg.ts';

type Tier = 'core' | 'more';

const EVERY = 'src/**/*.test.ts';
const BENCH = 'e2e/bench/**/*.test.ts';
const MORE = 'src/**/*.more.test.ts';
const BOTH = 'src/**/*.databases.test.ts';

/** What can't run here. A build reads the configuration too, and needs to know nothing of it. */
const skipped = process.env['VITEST'] && !hasFfmpeg() ? filesThatNeedFfmpeg(EVERY) : [];

const tier = (name: Tier, include: string[], exclude: string[] = []): TestProjectConfiguration => ({
  extends: true,
  test: { name, include, exclude: [...exclude, ...skipped], env: { TEST_TIER: name } },
});

/**
 * `npm test` runs `core`, `npm run test:more` runs `more`: faults with real processes, long random sequences, and files
 * for both databases (`*.databases.test.ts`) once more, on the embedded one.
 */
export const testTiers: TestProjectConfiguration[] = [tier('core', [EVERY, BENCH], [MORE]), tier('more', [MORE, BOTH])];

/** Returns how often a random test runs: fewer times with `npm test`, and as often as `variable` says where it is set. */
export const randomRuns = (variable: string, counts: Record<Tier, number>): number =>
  Number(process.env[variable] ?? counts[process.env['TEST_TIER'] === 'more' ? 'more' : 'core']);

/** Returns what `npm test` leaves to `npm run test:more`, in a sentence for each kind. */
export function describeRest(): string[] {
  const names = globSync([MORE, 'e2e/*.more.spec.ts']).map((file) => file.replace(/^.*\//, ''));
  return [
    `Left to npm run test:more: ${names.length} files (${names.sort().join(', ')}),`,
    `and ${globSync(BOTH).length} files on the embedded database, which ran on PostgreSQL.`,
  ];
}
