import { claimGeneration } from '../generation-lease.ts';
import { type RunDeps, runClaimed } from '../run-generation.ts';
import { isUpstreamEngine } from './find-upstream-engine.ts';
import { cancelUpstreamJob } from './cancel-upstream.ts';

/** One service that does not answer must not keep jobs of others from being stopped. */
const CANCEL_CONCURRENCY = 4;

interface LaneSignals {
  shutdown: AbortSignal;
  give_up: AbortSignal;
}

/**
 * Follows what other services do, so many at once as configured, apart from the work of this process. One worker takes
 * the jobs and hands each on once it is claimed: from then on its lease, and not the job, brings it back after a crash.
 * @returns takes no more, and resolves when all that runs has let go
 */
export async function startUpstreamLane(deps: RunDeps, signals: LaneSignals): Promise<() => Promise<void>> {
  const { queue, engines, config, log } = deps;
  if (!engines.some(isUpstreamEngine)) return async () => undefined;
  const running = new Set<Promise<void>>();
  const stopTaking = await queue.work('generation.upstream', 1, async ({ generation_id }) => {
    while (running.size >= config.upstream_concurrency) await Promise.race(running);
    signals.shutdown.throwIfAborted();
    const lease = await claimGeneration(deps, generation_id);
    if (!lease) return;
    const run = runClaimed(deps, lease, signals)
      .catch((error: unknown) => log.error({ err: error, generation_id }, 'generation left to its lease'))
      .finally(() => running.delete(run));
    running.add(run);
  });
  const stopCanceling = await queue.work('upstream.cancel', CANCEL_CONCURRENCY, ({ generation_id }) =>
    cancelUpstreamJob(deps, generation_id, signals.shutdown),
  );
  return async () => {
    await Promise.all([stopTaking(), stopCanceling()]);
    await Promise.all(running);
  };
}
