import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { buildOpenApiDocument } from '#contract/api/openapi.ts';
import { exportAuditEvents } from '#server/accounts/audit/export-events.ts';
import { listAuditEvents, listLatestChanges } from '#server/accounts/audit/list-events.ts';
import { recordExport } from '#server/accounts/audit/record-audit-event.ts';
import { acknowledgeAlert } from '#server/operations/alerts/acknowledge-alert.ts';
import { listAlerts } from '#server/operations/alerts/list-alerts.ts';
import type { Metrics } from '#server/operations/metrics/create-metrics.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import type { MetricsSettings } from '#server/platform/core/settings/metrics-settings.ts';
import { VERSION } from '#server/platform/core/version.ts';
import { pingDatabase } from '#server/platform/db/postgres/ping-database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createEntityTag, matchesEntityTag } from '#server/http/entity-tag.ts';
import type { Handlers } from '#server/http/handler.ts';
import { isEndpointName } from '#server/http/mount-endpoints.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';

export const operationRoutes = (deps: Deps) =>
  ({
    list_alerts: ({ caller, query }) => listAlerts(deps, caller.organization_id, query),
    acknowledge_alert: ({ caller, params }) => acknowledgeAlert(deps, caller, params.alert_id),

    list_audit_events: ({ caller, query }) => listAuditEvents(deps, caller.organization_id, query),
    list_latest_changes: ({ caller, query }) => listLatestChanges(deps.db, caller.organization_id, query),
    async export_audit_events({ caller, query }) {
      await recordExport(deps, caller, 'audit_log', query);
      return { filename: 'audit-log.csv', lines: exportAuditEvents(deps, caller.organization_id, query) };
    },
  }) satisfies Handlers;

const TIMEOUT_MS = 3_000;
/** The storage check writes a file, so its result is reused. */
const RESULT_TTL_MS = 1_000;

type CheckResults = readonly (readonly [name: string, ok: boolean])[];

/** Serves `/healthz` (the process is alive, in which version) and `/readyz` (its dependencies respond and it is not shutting down). */
export function healthRoutes(
  app: FastifyInstance,
  deps: Deps & { rate_limit: RateLimit },
  isStopping: () => boolean,
): void {
  const checks = {
    database: () => pingDatabase(deps),
    storage: () => deps.storage.check(),
    queue: () => deps.queue.check(),
  };
  app.get('/healthz', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok', version: VERSION }),
  );
  let last: { results: Promise<CheckResults>; atMs: number } | undefined;
  const check = (): Promise<CheckResults> => {
    const nowMs = deps.clock.now().getTime();
    if (last && nowMs - last.atMs < RESULT_TTL_MS) return last.results;
    const results = Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, deps.log)] as const),
    );
    last = { results, atMs: nowMs };
    return results;
  };
  app.get('/readyz', async (request, reply) => {
    await deps.rate_limit.countProbe(request.ip);
    const results = await check();
    const ready = !isStopping() && results.every(([, ok]) => ok);
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: ready ? 'ready' : 'unavailable',
        checks: Object.fromEntries(results.map(([name, ok]) => [name, ok ? 'ok' : 'unavailable'])),
      });
  });
}

async function runCheck(name: string, check: () => Promise<void>, log: Pick<Deps['log'], 'warn'>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${name} did not respond in ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
    return true;
  } catch (error) {
    log.warn({ err: error, check: name }, 'not ready');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

const METRICS_PATH = '/metrics';

/** Serves the metrics of this process to callers with the operator's token. Decision: Metrics */
export function metricsRoute(
  app: FastifyInstance,
  { rate_limit }: { rate_limit: RateLimit },
  { token }: Pick<MetricsSettings, 'token'>,
  metrics: Metrics,
): void {
  if (token === null) return;
  const expected = digest(`Bearer ${token}`);
  app.get(METRICS_PATH, async (request, reply) => {
    await rate_limit.countProbe(request.ip);
    // Digests have one length, so that the comparison takes the same time for every token.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      throw new ApiError('authentication_error', 'Send METRICS_TOKEN as a bearer token.');
    const { content_type, text } = await metrics.read();
    return reply.header('cache-control', 'no-store').type(content_type).send(text);
  });
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Serves `/openapi.json`, which describes the endpoints of this process. Spec: Versioning */
export function openApiRoute(
  app: FastifyInstance,
  { config, rate_limit }: { config: Pick<Config, 'publicUrl'>; rate_limit: RateLimit },
  handlers: Handlers,
): void {
  let text: string | undefined;
  app.get('/openapi.json', async (request, reply) => {
    await rate_limit.countAddress(request.ip);
    text ??= JSON.stringify(buildOpenApiDocument(Object.keys(handlers).filter(isEndpointName), config.publicUrl));
    const tag = createEntityTag(text);
    reply.headers({ etag: tag, 'cache-control': 'no-cache' }).type('application/json; charset=utf-8');
    return matchesEntityTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(text);
  });
}
