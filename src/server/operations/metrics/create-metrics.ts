import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { completedProviderCalls, completedRequests } from '#server/platform/core/telemetry.ts';
import { VERSION } from '#server/platform/core/version.ts';
import type { Database } from '#server/platform/db/open-database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createOutcomeCounter } from './count-outcomes.ts';
import { createDatabaseGauges } from './database-gauges.ts';
import { createPoolGauge, createSpaceGauges } from './space-gauges.ts';

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
