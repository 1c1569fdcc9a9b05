import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createApp } from '#server/http/create-app.ts';
import { recordPrices } from '#server/accounts/billing/reports/price-books.ts';
import { type ComposedService, composeService, createLogger } from './compose.ts';
import { type Config, readConfig } from '#server/platform/core/settings/config.ts';
import { VERSION } from '#server/platform/core/version.ts';
import type { TracingSettings } from '#server/platform/core/settings/tracing-settings.ts';
import { startSigning } from '#server/platform/credentials/create-signing-authority.ts';
import { setTracer } from '#server/platform/core/process/work-context.ts';
import { setRunningTimeout } from '#server/platform/core/process/running-timeout.ts';
import { isShutdownError } from '#server/platform/core/process/shutdown-error.ts';
import { DASHBOARD_FOLDER } from '#server/http/dashboard/build.ts';
import { type ListenAddress, listening } from '#server/platform/core/process/listen-error.ts';
import { findUnknownVariables } from '#server/platform/core/settings/variables.ts';
import { usingDatabase } from '#server/platform/db/database-start-error.ts';
import { startErrorMessage } from './start-error.ts';
import { startWorker, type Worker } from './worker.ts';
import type { FallbackHandler } from '#server/http/not-found.ts';
import { bootstrap } from './bootstrap.ts';
import { recordEmailTrust } from '#server/accounts/people/oidc/record-email-trust.ts';
import { buildSignInUrl } from '#server/accounts/keys/sign-in-tokens.ts';
import type { Metrics } from '#server/operations/metrics/create-metrics.ts';
import { serveMetrics } from '#server/operations/metrics/serve-metrics.ts';
import { startAdminSocket } from '#server/operations/installation/admin-socket.ts';
import { removeStaleUploads } from '#server/studio/uploads/upload-folder.ts';

const HOUR_MS = 3_600_000;
/** Grace period for open requests before their connections are closed. */
const REQUEST_GRACE_MS = 8_000;
const WORK_GRACE_MS = 10_500;
const QUEUE_GRACE_MS = 1_800;
const CLOSE_GRACE_MS = 800;
const TRACER_GRACE_MS = 700;
const EXIT_DEADLINE_MS = 14_000;

interface RunningService extends ComposedService {
  app: FastifyInstance;
  worker: Worker | null;
  stopRefreshing: () => void;
  closeAdminSocket: () => Promise<void>;
  closeMetrics: (() => Promise<void>) | null;
  closeTracer: (() => Promise<void>) | null;
}

async function start(config: Config, log: Logger, isDevelopment: boolean): Promise<RunningService> {
  const address: ListenAddress = { host: config.host, port: config.port, portVariable: 'PORT' };
  const metricsAddress: ListenAddress | null = config.metrics?.port
    ? { host: config.host, port: config.metrics.port, portVariable: 'METRICS_PORT' }
    : null;
  await assertIsFree(address);
  if (metricsAddress) await assertIsFree(metricsAddress);
  const closeTracer = config.tracing && (await startTracing(config.tracing));
  const composed = await composeService(config, log);
  const { deps } = composed;
  const firstToken = await usingDatabase(config, () => bootstrap(deps));
  await usingDatabase(config, () => recordPrices(deps));
  if (config.role !== 'worker') await usingDatabase(config, () => recordEmailTrust(deps));
  await startSigning(deps);
  const isEmbedded = config.databaseUrl === null;
  // The embedded database has no other process that could change them.
  const stopRefreshing = isEmbedded ? () => undefined : deps.offering.startRefreshing();
  await removeStaleUploads(
    config,
    new Date(Date.now() - (isEmbedded ? 0 : config.uploadTimeoutSeconds * 1000 + HOUR_MS)),
  );
  const metrics = config.metrics && (await openMetrics(composed));
  const app = await createApp(deps, {
    metrics,
    isStopping: () => stopping,
    dashboard: (app) => loadDashboard(app, config, isDevelopment),
  });
  const worker = config.role === 'api' ? null : await startWorker(deps);
  const closeAdminSocket = isEmbedded ? await startAdminSocket(deps) : async () => undefined;
  const closeMetrics =
    metrics && metricsAddress ? await listening(metricsAddress, () => serveMetrics(metricsAddress, metrics)) : null;
  await listening(address, () => app.listen({ port: config.port, host: config.host }));
  log.info({ version: VERSION, role: config.role }, 'started');
  printStartupMessage(config, firstToken, composed.database.notice ?? null);
  return { ...composed, app, worker, stopRefreshing, closeAdminSocket, closeMetrics, closeTracer };
}

/** Loads the SDK only if it is used. */
async function startTracing(settings: TracingSettings): Promise<() => Promise<void>> {
  const { openOtlpTracer } = await import('#server/operations/tracing/otlp-tracer.ts');
  const tracer = openOtlpTracer(settings);
  setTracer(tracer);
  return () => tracer.close();
}

async function openMetrics({ deps, database }: ComposedService): Promise<Metrics> {
  const { createMetrics } = await import('#server/operations/metrics/create-metrics.ts');
  return createMetrics(deps, database);
}

/** Fails before a database is created. @throws {ConfigError} */
const assertIsFree = (address: ListenAddress): Promise<void> =>
  listening(address, async () => {
    const server = createServer();
    server.listen({ port: address.port, host: address.host });
    await once(server, 'listening');
    await new Promise((resolve) => server.close(resolve));
  });

async function loadDashboard(
  app: FastifyInstance,
  config: Config,
  isDevelopment: boolean,
): Promise<FallbackHandler | null> {
  if (isDevelopment) {
    const { serveDevDashboard: developDashboard } = await import('#server/http/dashboard/dev-dashboard.ts');
    return developDashboard(app, join(DASHBOARD_FOLDER, '..'));
  }
  if (!existsSync(join(DASHBOARD_FOLDER, 'index.html'))) return null;
  const { serveDashboard } = await import('#server/http/dashboard/serve-dashboard.ts');
  const store = config.s3?.links === 'presigned' ? [config.s3.endpoint] : [];
  return serveDashboard(app, DASHBOARD_FOLDER, [config.publicUrl, ...store]);
}

function printStartupMessage(config: Config, firstToken: string | null, notice: string | null): void {
  const { role, publicUrl, databaseUrl } = config;
  const lines = [
    role === 'worker' ? `Emulsion ${VERSION} worker is running.` : `Emulsion ${VERSION} is ready at ${publicUrl}`,
    ...(databaseUrl === null
      ? [
          'The embedded database does not wait for the disk to confirm writes. Use PostgreSQL (DATABASE_URL) for real money.',
        ]
      : []),
    ...(notice === null ? [] : [notice]),
    ...(firstToken === null
      ? []
      : [`Sign in with this link. It works once, within 24 hours: ${buildSignInUrl(config, firstToken)}`]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

let stopping = false;

/**
 * Waits until load balancers have seen that this process is not ready; then stops accepting requests, lets open ones
 * finish and requeues work, all within 15 s.
 */
async function stop(running: RunningService, log: Logger): Promise<void> {
  const { app, worker, deps, database, stopRefreshing, closeAdminSocket, closeMetrics, closeTracer } = running;
  if (stopping) process.exit(1);
  stopping = true;
  const delayMs = deps.config.shutdownDelaySeconds * 1_000;
  setRunningTimeout(delayMs + EXIT_DEADLINE_MS, () => {
    log.error('shutdown timed out');
    process.exit(1);
  });
  await Promise.all([
    sleep(delayMs).then(() => closeApp(app)),
    worker && settleWithin(WORK_GRACE_MS, worker.stop(), log),
    closeAdminSocket(),
  ]);
  stopRefreshing();
  await closeMetrics?.();
  if (closeTracer) await settleWithin(TRACER_GRACE_MS, closeTracer(), log);
  await settleWithin(QUEUE_GRACE_MS, deps.queue.stop(1_000), log);
  await settleWithin(CLOSE_GRACE_MS, database.close(), log);
  process.exit(0);
}

async function closeApp(app: FastifyInstance): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), REQUEST_GRACE_MS);
  await app.close();
  clearTimeout(cut);
}

/** Without its database the service can't hand work back in time; another worker continues when the leases expire. */
async function settleWithin(graceMs: number, work: Promise<void>, log: Logger): Promise<void> {
  const late = new Error(`A step of the shutdown took longer than ${graceMs} ms.`);
  const waited = Promise.withResolvers<never>();
  const cancel = setRunningTimeout(graceMs, () => waited.reject(late));
  await Promise.race([work, waited.promise]).catch((error: unknown) => log.warn({ err: error }, 'shutdown incomplete'));
  cancel();
}

/** Runs the service as configured by the environment until it receives a signal. */
export async function runService(options: { isDevelopment: boolean }): Promise<void> {
  let config: Config | null = null;
  try {
    config = readConfig();
    const log = createLogger(config);
    for (const warning of findUnknownVariables(process.env)) log.warn(warning);
    process.on('uncaughtException', (error) => {
      // Work that nobody waits for any more must not turn an orderly shutdown into a failed one.
      if (isShutdownError(error)) return log.warn({ err: error }, 'work was interrupted by the shutdown');
      log.fatal({ err: error }, 'unexpected error');
      process.exit(1);
    });
    const running = await start(config, log, options.isDevelopment);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(running, log));
  } catch (error) {
    process.stderr.write(`${startErrorMessage(error, config)}\n`);
    process.exit(1);
  }
}
