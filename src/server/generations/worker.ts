import type { Deps } from '../deps.ts';
import { startDeriver } from '../derivatives/deriver.ts';
import { removeStrayDerivatives } from '../derivatives/remove-derivatives.ts';
import { purgeAnswers } from '../idempotency/once.ts';
import { every } from '../jobs/every.ts';
import { purgeRemoved, removeExpired } from '../uploads/retention.ts';
import { startDeliverer } from '../webhooks/deliverer.ts';
import { purgeEvents } from '../webhooks/purge-events.ts';
import { startAdvancer } from '../workflows/advance/advancer.ts';
import type { Advancing } from '../workflows/advance/run-state.ts';
import { takeBack } from './lease.ts';
import { type Running, runGeneration } from './run.ts';
import { removeScratch } from './scratch.ts';
import { removeStrayFiles } from '../uploads/orphans.ts';
import { wakeForgotten } from './sweep.ts';
import { startUpstreamLane } from './upstream/upstream-lane.ts';

const TAKE_BACK_EVERY_MS = 5_000;
const CLEAN_EVERY_MS = 3_600_000;
/** So long is the answer to a submit waited for while the process ends. */
const SUBMIT_GRACE_MS = 8_000;

export interface Worker {
  /** Takes nothing more, stops what runs and hands it back. Resolves when all of it is handed back. */
  stop(): Promise<void>;
}

type Working = Running & Advancing;

/**
 * Runs generations in this process and moves workflow runs on, and cleans up after processes that were killed. Start it before requests are
 * served: what an earlier process left is told from new work by its age.
 */
export async function startWorker(deps: Working): Promise<Worker> {
  // The embedded database serves one process: whatever is not ours is of one that is gone.
  const alone = deps.config.database_url === null;
  const started_at = new Date();
  await removeScratch(deps.config.media_dir, alone);
  await takeBack(deps, alone);
  const shutdown = new AbortController();
  const give_up = new AbortController();
  const signals = { shutdown: shutdown.signal, give_up: give_up.signal };
  const stopWorking = await deps.queue.work(
    'generation.run',
    deps.config.worker_concurrency,
    ({ generation_id }) => runGeneration(deps, generation_id, signals),
    { spare: true },
  );
  const stopFollowing = await startUpstreamLane(deps, signals);
  const stopDelivering = await startDeliverer(deps, { alone });
  const stopAdvancing = await startAdvancer(deps, shutdown.signal);
  const chores = [
    every(deps, TAKE_BACK_EVERY_MS, () => takeBack(deps)),
    every(deps, CLEAN_EVERY_MS, () => clean(deps, new Date(Date.now() - CLEAN_EVERY_MS))),
  ];
  if (alone) await removeStrayFiles(deps, started_at).catch((error: unknown) => failed(deps, error));
  const stopDeriving = await startDeriver(deps, { alone });
  return {
    async stop() {
      const reason = new Error('The service is shutting down.');
      shutdown.abort(reason);
      const grace = setTimeout(() => give_up.abort(reason), SUBMIT_GRACE_MS);
      for (const stop of chores) await stop();
      await Promise.all([stopWorking(), stopFollowing(), stopDelivering(), stopAdvancing(), stopDeriving()]);
      clearTimeout(grace);
    },
  };
}

/** What is done once an hour. */
async function clean(deps: Running, before: Date): Promise<void> {
  await purgeAnswers(deps.db, deps.clock.now());
  await purgeEvents(deps);
  await wakeForgotten(deps);
  await removeScratch(deps.config.media_dir, false);
  await removeExpired(deps);
  await purgeRemoved(deps);
  await removeStrayDerivatives(deps);
  await removeStrayFiles(deps, before);
}

const failed = ({ log }: Pick<Deps, 'log'>, error: unknown): void => log.error({ err: error }, 'worker chore failed');
