import { lookup } from 'node:dns/promises';
import { type DestinationStream, type Logger, destination, pino } from 'pino';
import { systemClock } from '#server/platform/core/clock.ts';
import { type Config, isPlainHttp, readEnvironmentVariable } from '#server/platform/core/settings/config.ts';
import { openDataDirectories } from '#server/platform/core/settings/data-directories.ts';
import { usingDatabase } from '#server/platform/db/database-start-error.ts';
import { type Database, openDatabase } from '#server/platform/db/open-database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createProviderOffering, type ProviderOffering } from '#server/models/connections/provider-offering.ts';
import { loadEngines } from '#server/models/config/read-engines.ts';
import { createPreviewEngine } from '#server/models/preview/preview-engine.ts';
import { createCorpusLoader } from '#server/models/preview/social/corpus.ts';
import { createToolsEngine } from '#server/models/tools/tools-engine.ts';
import { openJobQueue } from '#server/platform/jobs/job-queue.ts';
import { serializeError } from '#server/platform/core/process/serialize-error.ts';
import { resolveMediaTools } from '#server/platform/media/media-tools.ts';
import { logContext } from '#server/platform/core/process/work-context.ts';
import { createFetcher, type Fetcher } from '#server/platform/net/fetcher.ts';
import { loadInstallationSecret } from '#server/platform/core/settings/installation-secret.ts';
import { changedGenerations } from '#server/platform/core/process/telemetry.ts';
import type { Certificate } from '#server/platform/credentials/create-signer.ts';
import { createSigningAuthority } from '#server/platform/credentials/create-signing-authority.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { assertGuardRuns } from '#server/models/engine/mapping/expression.ts';
import { enqueueBatch } from '#server/studio/batches/enqueue-batch.ts';
import { enqueueCallback } from '#server/studio/webhooks/order-callbacks.ts';
import { recordEvent } from '#server/studio/webhooks/record-event.ts';
import { createExpressions } from '#server/studio/workflows/expression/expressions.ts';
import { loadStarters } from '#server/studio/workflows/starters/load-starters.ts';
import { enqueueRun } from '#server/studio/workflows/enqueue-run.ts';
import { openStorage } from '#server/platform/storage/open-storage.ts';

/** Logs to standard error: standard output is for the person who starts the service. */
export const createLogger = (config: Pick<Config, 'logLevel'>, to: DestinationStream = destination(2)): Logger =>
  pino(
    {
      level: config.logLevel,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: () => logContext(),
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    to,
  );

/** Counts as one more key while the service starts. */
const STARTUP_CALLER = { key_id: '' };

export interface ComposedService {
  deps: Deps & { offering: ProviderOffering };
  database: Database;
}

/**
 * Composes the service from its configuration: the only place that knows concrete stores and engines.
 * @param runsWork whether this process calls engines, and so needs their keys
 */
export async function composeService(
  config: Config,
  log: Logger,
  runsWork = config.role !== 'api',
): Promise<ComposedService> {
  const operator = await openCertificate(config);
  await openDataDirectories(config, log);
  const fetcher = await openFetcher(config);
  const [media, storage, secret] = await Promise.all([
    resolveMediaTools({ ffmpegPath: config.ffmpegPath ?? undefined, ffprobePath: config.ffprobePath ?? undefined }),
    openStorage(config, fetcher, log),
    config.secretKey ?? loadInstallationSecret(config.dataDir),
  ]);
  const variable = runsWork
    ? readEnvironmentVariable
    : (name: string) => readEnvironmentVariable(name) ?? 'not-needed-here';
  const setup = await loadEngines(config.enginesFile, { openService: fetcher.createService, readEnv: variable });
  const corpus = createCorpusLoader(config.searchCorpusFile);
  if (config.searchCorpusFile !== null) await corpus();
  await assertGuardRuns();
  const expressions = createExpressions();
  const starters = await loadStarters(config, log, (templates) => expressions.readNames(templates, STARTUP_CALLER));
  const database = await openDatabase(config, log);
  for (const warning of media.warnings) log.warn(warning);
  try {
    const queue = await usingDatabase(config, () =>
      openJobQueue(database.queue, { log, supervise: config.role !== 'api' }),
    );
    const localEngines = [createToolsEngine(media), createPreviewEngine({ tools: media, corpus })];
    const secrets = createSecrets(secret, config.secretKeysOld);
    const offering = await createProviderOffering(
      { db: database.db, fetcher, secrets, log },
      { ...setup, file_engines: setup.engines, local_engines: localEngines },
    );
    const { timeStampUrl } = config.credentials;
    const parts = { db: database.db, clock: systemClock, secrets, log, fetcher };
    const deps = {
      ...parts,
      config,
      storage,
      media,
      offering,
      queue,
      signing: createSigningAuthority(parts, { operator, timeStampUrl }),
      transitionListeners: transitionListeners({ clock: systemClock, queue }),
      expressions,
      starters,
    };
    return { deps, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Subscribers to status changes of generations. */
export const transitionListeners = (deps: Pick<Deps, 'clock' | 'queue'>): Deps['transitionListeners'] => [
  async (_tx, row) => changedGenerations.publish(row),
  (tx, row) => recordEvent(deps, tx, row),
  (tx, row) => enqueueCallback(deps, tx, row),
  async (tx, { workflow_run_id, batch_id }) => {
    if (workflow_run_id !== null) await enqueueRun(deps, tx, workflow_run_id);
    if (batch_id !== null) await enqueueBatch(deps, tx, batch_id);
  },
];

/** Reads the operator's certificate of content credentials. Without one, nothing is loaded. */
async function openCertificate({ credentials: { certificate } }: Config): Promise<Certificate | null> {
  if (certificate === null) return null;
  const { readOperatorCertificate } = await import('#server/platform/credentials/read-operator-certificate.ts');
  return readOperatorCertificate(certificate, systemClock.now());
}

/** Opens what fetches from other servers. */
export async function openFetcher(config: Config): Promise<Fetcher> {
  return createFetcher({
    allowPrivateNetworks: config.allowPrivateNetworks,
    refused_addresses: isPlainHttp(config.publicUrl) ? [] : await resolveAddresses(new URL(config.publicUrl).hostname),
  });
}

/** A reference must not reach the service itself through its public address. */
const resolveAddresses = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
