import type { Counter } from 'prom-client';
import { changedGenerations, type ChangedGeneration } from '#server/platform/core/telemetry.ts';
import type { Deps } from '#server/platform/deps.ts';
import { providerLabel, readOutcomes } from './read-gauges.ts';

/** Beyond this, outcomes are counted without their provider. */
const MAX_PENDING = 5_000;
/** A change that is not visible after this was rolled back. */
const COMMIT_MS = 30_000;
const UNKNOWN_PROVIDER = 'unknown';

export interface OutcomeCounter {
  /** Counts the changes of this process that were committed. */
  collect(): Promise<void>;
  close(): void;
}

/** Counts changes of generations by status and provider. They are looked up when metrics are read, not when they happen. */
export function createOutcomeCounter(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  counter: Counter<'status' | 'provider'>,
): OutcomeCounter {
  let pending: (ChangedGeneration & { at_ms: number })[] = [];
  const close = changedGenerations.subscribe((change) => {
    if (pending.length >= MAX_PENDING) {
      const oldest = pending.shift();
      if (oldest) counter.inc({ status: oldest.status, provider: UNKNOWN_PROVIDER });
    }
    pending.push({ ...change, at_ms: clock.now().getTime() });
  });
  return {
    async collect() {
      const changes = pending;
      if (changes.length === 0) return;
      const rows = await readOutcomes(
        db,
        changes.map(({ id }) => id),
      );
      const outcomes = new Map(rows.map((row) => [row.id, row]));
      const newest_ms = clock.now().getTime() - COMMIT_MS;
      const waiting = changes.filter(({ id, status, at_ms }) => {
        const row = outcomes.get(id);
        if (row?.status === status) counter.inc({ status, provider: providerLabel(row.provider) });
        return row?.status !== status && at_ms > newest_ms;
      });
      // Changes that were published meanwhile follow.
      pending = [...waiting, ...pending.slice(changes.length)];
    },
    close,
  };
}
