import type { Deps } from '#server/platform/deps.ts';
import { ShutdownError } from '#server/platform/core/process/shutdown-error.ts';
import { startDerivativeWorker } from '#server/studio/assets/derivatives/derivative-worker.ts';
import { deleteOrphanedDerivatives } from '#server/studio/assets/derivatives/delete-derivatives.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { purgeStoredResponses } from '#server/accounts/idempotency/with-idempotency.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { purgeRemovedUploads, purgeTrash, removeExpiredMedia } from '#server/studio/assets/retention.ts';
import { CALLBACK_FORMATS } from '#server/http/compat/compat-adapters.ts';
import { startDeliverer } from '#server/studio/webhooks/deliverer.ts';
import { purgeCallbacks } from '#server/studio/webhooks/order-callbacks.ts';
import { purgeEvents } from '#server/studio/webhooks/purge-events.ts';
import { startAdvancer } from '#server/studio/workflows/advance/advancer.ts';
import { startBatchAdvancer } from '#server/studio/batches/batch-advancer.ts';
import { purgeArchives } from '#server/studio/library/archive/archive.ts';
import { purgeSignIns } from '#server/accounts/people/purge-sign-ins.ts';
import { startSignInLinks } from '#server/accounts/people/mail-sign-in-link.ts';
import { startAlerts } from '#server/operations/alerts/start-alerts.ts';
import { purgeCounts } from '#server/accounts/rate-limits/shared-counts.ts';
import { startMailer } from '#server/platform/mail/start-mailer.ts';
import { reclaimExpiredLeases } from '#server/studio/generations/generation-lease.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { storeSpooledResults } from '#server/studio/generations/results/store-spooled-results.ts';
import { removeStaleTempDirs } from '#server/studio/assets/temp-dir.ts';
import { deleteOrphanedFiles } from '#server/studio/assets/orphans.ts';
import { requeueStale } from '#server/studio/generations/sweep.ts';
import { startDriftChecks } from '#server/models/added-models/start-drift-checks.ts';
import { startBillReads } from '#server/models/bills/start-bill-reads.ts';
import { deleteRetiredKeys } from '#server/models/connections/delete-retired-keys.ts';
import { startUpstreamLane } from '#server/studio/generations/upstream/upstream-lane.ts';

const RECLAIM_INTERVAL_MS = 5_000;
const SPOOL_INTERVAL_MS = 2_000;
const TEMP_CLEANUP_INTERVAL_MS = 300_000;
const CLEANUP_INTERVAL_MS = 3_600_000;
const SUBMIT_GRACE_PERIOD_MS = 8_000;

export interface Worker {
  /** Stops claiming work, aborts running work and requeues it. Resolves when all of it is requeued. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  spoolIntervalMs?: number;
  submitGraceMs?: number;
}

/**
 * Runs generations in this process, advances workflow runs, and cleans up after killed processes. Start it before
 * requests are served: leftovers of an earlier process are recognized by their age.
 * @param options.spoolIntervalMs how often results that could not be stored are tried again
 * @param options.submitGraceMs how long a shutdown waits for the response to a submit
 */
export async function startWorker(
  deps: Deps,
  { spoolIntervalMs = SPOOL_INTERVAL_MS, submitGraceMs = SUBMIT_GRACE_PERIOD_MS }: WorkerOptions = {},
): Promise<Worker> {
  // The embedded database serves one process, so other owners' leases are stale.
  const isSingleProcess = deps.config.databaseUrl === null;
  const startedAt = new Date();
  await removeStaleTempDirs(deps.config.mediaDir, isSingleProcess);
  await reclaimExpiredLeases(deps, isSingleProcess);
  const shutdown = new AbortController();
  const abortSubmits = new AbortController();
  const signals = { shutdown: shutdown.signal, giveUp: abortSubmits.signal };
  const stopRunWorkers = await deps.queue.work(
    'generation.run',
    deps.config.workerConcurrency,
    ({ generation_id }) => runGeneration(deps, generation_id, signals),
    { spare: true },
  );
  const stopUpstreamLane = await startUpstreamLane(deps, signals);
  const stopDeliverer = await startDeliverer(deps, { alone: isSingleProcess, formats: CALLBACK_FORMATS });
  const stopAdvancer = await startAdvancer(deps, shutdown.signal);
  const stopBatches = await startBatchAdvancer(deps, shutdown.signal);
  const stopMailer = await startMailer(deps);
  const stopSignInLinks = await startSignInLinks(deps);
  const stopAlerts = await startAlerts(deps, shutdown.signal);
  const stopDriftChecks = await startDriftChecks(deps, shutdown.signal);
  const stopBillReads = await startBillReads(deps, shutdown.signal);
  const tasks = [
    repeatEvery(deps, spoolIntervalMs, () => storeSpooledResults(deps, signals)),
    repeatEvery(deps, RECLAIM_INTERVAL_MS, () => reclaimExpiredLeases(deps)),
    repeatEvery(deps, TEMP_CLEANUP_INTERVAL_MS, () => removeStaleTempDirs(deps.config.mediaDir, false)),
    repeatEvery(deps, CLEANUP_INTERVAL_MS, () => runCleanup(deps, new Date(Date.now() - CLEANUP_INTERVAL_MS))),
  ];
  if (isSingleProcess)
    await deleteOrphanedFiles(deps, startedAt).catch((error: unknown) => logCleanupFailure(deps, error));
  const stopDerivatives = await startDerivativeWorker(deps, { alone: isSingleProcess });
  return {
    async stop() {
      const reason = new ShutdownError();
      shutdown.abort(reason);
      const grace = setTimeout(() => abortSubmits.abort(reason), submitGraceMs);
      for (const stop of tasks) await stop();
      await Promise.all([
        stopRunWorkers(),
        stopUpstreamLane(),
        stopDeliverer(),
        stopAdvancer(),
        stopBatches(),
        stopDerivatives(),
        stopMailer(),
        stopSignInLinks(),
        stopAlerts(),
        stopDriftChecks(),
        stopBillReads(),
      ]);
      clearTimeout(grace);
    },
  };
}

/** Deletes what is no longer kept. Rules: "Data that goes by itself" in docs/operations.md. */
export const runCleanup = (deps: Deps, before: Date): Promise<void> => withLongStatements(() => cleanUp(deps, before));

async function cleanUp(deps: Deps, before: Date): Promise<void> {
  await deleteRetiredKeys(deps);
  await purgeStoredResponses(deps.db, deps.clock.now());
  await purgeSignIns(deps);
  await purgeArchives(deps);
  await purgeEvents(deps);
  await purgeCallbacks(deps);
  await purgeCounts(deps.db);
  await requeueStale(deps);
  await removeExpiredMedia(deps);
  await purgeTrash(deps);
  await purgeRemovedUploads(deps);
  await deleteOrphanedDerivatives(deps);
  await deleteOrphanedFiles(deps, before);
}

const logCleanupFailure = ({ log }: Deps, error: unknown): void => log.error({ err: error }, 'worker task failed');
