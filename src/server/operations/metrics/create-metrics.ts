import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  completedProviderCalls,
  completedRequests,
  changedGenerations,
  type ChangedGeneration,
} from '#server/platform/core/process/telemetry.ts';
import { VERSION } from '#server/platform/core/version.ts';
import type { Database } from '#server/platform/db/open-database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createPoolGauge, createSpaceGauges } from './space-gauges.ts';
import {
  providerLabel,
  readOutcomes,
  type DatabaseGauges,
  LOCAL_PROVIDER,
  NO_PROVIDER,
  readGauges,
} from './read-gauges.ts';
import { GENERATION_STATUSES } from '#contract/statuses.ts';

export interface Metrics {
  /** Returns the metrics in Prometheus' text format. */
  read(): Promise<{ content_type: string; text: string }>;
  close(): void;
}

const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
const PROVIDER_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures this process, and what its database and storage hold. Decision: Metrics */
export function createMetrics(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'storage'>,
  database: Pick<Database, 'connections'>,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: 'emulsion_build_info', help: 'Version and role.', labelNames: ['version', 'role'], registers }).set(
    { version: VERSION, role: deps.config.role },
    1,
  );
  const stopRequests = measureRequests(registers);
  const stopProviders = measureProviders(registers);
  const outcomes = createOutcomeCounter(
    deps,
    new Counter({
      name: 'emulsion_generations_total',
      help: 'Generations that this process moved to a status.',
      labelNames: ['status', 'provider'],
      registers,
    }),
  );
  const collectDatabase = createDatabaseGauges(deps, registers);
  const collectSpace = createSpaceGauges(deps, registers);
  createPoolGauge(database, registers);
  return {
    async read() {
      await Promise.all([collectDatabase(() => outcomes.collect()), collectSpace()]);
      return { content_type: registry.contentType, text: await registry.metrics() };
    },
    close() {
      stopRequests();
      stopProviders();
      outcomes.close();
    },
  };
}

function measureRequests(registers: Registry[]): () => void {
  const histogram = new Histogram({
    name: 'emulsion_http_request_duration_seconds',
    help: 'Time until a response was sent, by template of the route.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  return completedRequests.subscribe(({ method, route = 'none', status, duration_ms }) =>
    histogram.observe({ method: METHODS.has(method) ? method : 'other', route, status }, duration_ms / 1000),
  );
}

function measureProviders(registers: Registry[]): () => void {
  const histogram = new Histogram({
    name: 'emulsion_provider_request_duration_seconds',
    help: 'Time of submits and polls at providers, with the files they send or fetch. busy, lost and refused are errors.',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: PROVIDER_BUCKETS,
    registers,
  });
  return completedProviderCalls.subscribe(({ duration_ms, ...labels }) =>
    histogram.observe(labels, duration_ms / 1000),
  );
}

/** Beyond this, outcomes are counted without their provider. */
const MAX_PENDING = 5_000;
/** A change that is not visible after this was rolled back. */
const COMMIT_MS = 30_000;
const UNKNOWN_PROVIDER = 'unknown';

interface OutcomeCounter {
  /** Counts the changes of this process that were committed. */
  collect(): Promise<void>;
  close(): void;
}

/** Counts changes of generations by status and provider. They are looked up when metrics are read, not when they happen. */
function createOutcomeCounter(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  counter: Counter<'status' | 'provider'>,
): OutcomeCounter {
  let pending: (ChangedGeneration & { atMs: number })[] = [];
  const close = changedGenerations.subscribe((change) => {
    if (pending.length >= MAX_PENDING) {
      const oldest = pending.shift();
      if (oldest) counter.inc({ status: oldest.status, provider: UNKNOWN_PROVIDER });
    }
    pending.push({ ...change, atMs: clock.now().getTime() });
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
      const newestMs = clock.now().getTime() - COMMIT_MS;
      const waiting = changes.filter(({ id, status, atMs }) => {
        const row = outcomes.get(id);
        if (row?.status === status) counter.inc({ status, provider: providerLabel(row.provider) });
        return row?.status !== status && atMs > newestMs;
      });
      // Changes that were published meanwhile follow.
      pending = [...waiting, ...pending.slice(changes.length)];
    },
    close,
  };
}

/** Several scrapes within this time read the database once. */
const TTL_MS = 5_000;
const ACTIVE_STATUSES = GENERATION_STATUSES.filter((status) => ['queued', 'running', 'manual_review'].includes(status));

/**
 * What all processes share, as every process reports it: take the maximum, not the sum. While the database can't be
 * reached, `emulsion_database_up` is 0 and the others are absent.
 * @returns reads the gauges anew, unless they were read just now
 */
function createDatabaseGauges(
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

  let last: { atMs: number; done: Promise<void> } | undefined;
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
    const nowMs = performance.now();
    if (!last || nowMs - last.atMs >= TTL_MS) last = { atMs: nowMs, done: read(readMore) };
    return last.done;
  };
}
