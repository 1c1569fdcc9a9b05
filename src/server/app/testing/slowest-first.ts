import type { TestSequencer, TestSpecification, Vitest } from 'vitest/node';

/** Of both tiers, as far as they take more than ten seconds; a run prints its slowest at its end. */
const SLOW_FILES = [
  'tools/streams-together.more.test.ts',
  'generations/crash-recovery.more.test.ts',
  'upstream/upstream-crash-recovery.more.test.ts',
  'app/database-loss/database-loss.more.test.ts',
  'generations/results/storage-outage.more.test.ts',
  'installation/backup-processes.more.test.ts',
  'billing/ledger.property.databases.test.ts',
  'app/full-disk.more.test.ts',
  'workflows/concurrent-runs.more.test.ts',
  'http/fuzz.more.test.ts',
  'tools/trim.more.test.ts',
  'preview/tasks/video.more.test.ts',
  'app/run.more.test.ts',
  'http/restricted-access.databases.test.ts',
  'app/run.test.ts',
  'generations/queue-turn.databases.test.ts',
  'db/migrate.test.ts',
  'cli/provider-commands.test.ts',
  'workflows/retry-inputs.databases.test.ts',
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
