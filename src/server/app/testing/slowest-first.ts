import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/** Each takes at least half a minute, the longest first. */
const SLOW_FILES = [
  'app/database-loss/database-loss.test.ts',
  'generations/results/storage-outage.test.ts',
  'generations/upstream/upstream-crash-recovery.test.ts',
  'db/migrate.test.ts',
  'app/run.test.ts',
  'preview/tasks/video.test.ts',
  'http/fuzz.test.ts',
  'billing/ledger.property.test.ts',
  'generations/crash-recovery.test.ts',
  'generations/queue-turn.test.ts',
  'workflows/concurrent-runs.test.ts',
  'installation/backup-processes.test.ts',
  'app/full-disk.test.ts',
  'tools/trim.test.ts',
  'tools/source-marks.test.ts',
  'cli/provider-commands.test.ts',
  'workflows/retry-inputs.test.ts',
];

const placeOf = ({ moduleId }: TestSpecification): number => {
  const place = SLOW_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
  return place === -1 ? SLOW_FILES.length : place;
};

/** Starts the slowest files first, so that no worker is idle at the end, also where durations of an earlier run are missing. */
export class SlowestFirst implements TestSequencer {
  readonly #vitest: Vitest;

  constructor(vitest: Vitest) {
    this.#vitest = vitest;
  }

  async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await this.#usual()).shard(files);
  }

  async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await (await this.#usual()).sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }

  // Loaded here, because builds read the configuration too.
  async #usual(): Promise<TestSequencer> {
    const { BaseSequencer } = await import('vitest/node');
    return new BaseSequencer(this.#vitest);
  }
}
