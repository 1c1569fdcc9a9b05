import type { Deps } from '#server/platform/deps.ts';
import { Gauge, type Registry } from 'prom-client';
import { GENERATION_STATUSES } from '#contract/statuses.ts';
import { type DatabaseGauges, LOCAL_PROVIDER, NO_PROVIDER, readGauges } from './read-gauges.ts';

/** Several scrapes within this time read the database once. */
const TTL_MS = 5_000;
const ACTIVE_STATUSES = GENERATION_STATUSES.filter((status) => ['queued', 'running', 'manual_review'].includes(status));

/**
 * What all processes share, as every process reports it: take the maximum, not the sum. While the database can't be
 * reached, `emulsion_database_up` is 0 and the others are absent.
 * @returns reads the gauges anew, unless they were read just now
 */
export function createDatabaseGauges(
  { config, db, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'storage'>,
  registers: Registry[],
): (readMore: () => Promise<void>) => Promise<void> {
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers });
  const up = gauge('emulsion_database_up', 'Whether the database responded.', []);
  const depth = gauge('emulsion_queue_depth', 'Work that waits, by kind.', ['kind']);
  const oldest = gauge('emulsion_queue_oldest_age_seconds', 'Age of the oldest work that waits.', ['kind']);
  const active = gauge('emulsion_generations_active', 'Generations without an outcome.', ['status', 'provider']);
  const failed = gauge('emulsion_ledger_verification_failed', 'Ledgers whose last verification failed.', []);
  const age = gauge('emulsion_ledger_verification_age_seconds', 'Time since the oldest last verification.', []);
  const funds =
    config.metrics?.has_funds === true
      ? gauge('emulsion_funds_usd', 'Funds by organization.', ['organization', 'state'])
      : null;

  function publish(gauges: DatabaseGauges): void {
    for (const { kind, depth: count, oldest_age_seconds } of gauges.queues) {
      depth.set({ kind }, count);
      oldest.set({ kind }, oldest_age_seconds);
    }
    for (const status of ACTIVE_STATUSES)
      active.set({ status, provider: status === 'running' ? LOCAL_PROVIDER : NO_PROVIDER }, 0);
    for (const { status, provider, count } of gauges.active) active.inc({ status, provider }, count);
    failed.set(gauges.verification.failed);
    if (gauges.verification.age_seconds !== null) age.set(gauges.verification.age_seconds);
    for (const { organization, ...amounts } of gauges.funds)
      for (const [state, amount] of Object.entries(amounts)) funds?.set({ organization, state }, amount);
  }

  function clear(): void {
    for (const each of [depth, oldest, active, funds]) each?.reset();
    for (const each of [failed, age]) each.remove();
  }

  let last: { at_ms: number; done: Promise<void> } | undefined;
  const read = async (readMore: () => Promise<void>) => {
    try {
      const gauges = await readGauges(db, funds !== null);
      await readMore();
      clear();
      publish(gauges);
      up.set(1);
    } catch (error) {
      log.debug({ err: error }, 'metrics of the database are not available');
      clear();
      up.set(0);
    }
  };
  return (readMore) => {
    const now_ms = performance.now();
    if (!last || now_ms - last.at_ms >= TTL_MS) last = { at_ms: now_ms, done: read(readMore) };
    return last.done;
  };
}
