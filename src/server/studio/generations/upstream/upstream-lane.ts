import type { Deps } from '#server/platform/deps.ts';
import { runClaimed } from '#server/studio/generations/run-generation.ts';
import type { Offering } from '#server/models/catalog/offering.ts';
import { isUpstreamEngine } from './find-upstream-engine.ts';
import { cancelUpstreamJob } from './cancel-upstream.ts';
import { claimUpstream } from './claim-upstream.ts';

/** More than one, so that an unresponsive service does not block the cancellations of others. */
const CANCEL_CONCURRENCY = 4;

interface LaneSignals {
  shutdown: AbortSignal;
  giveUp: AbortSignal;
}

/**
 * Starts the lane as soon as there is an engine for it: an idle consumer costs queries.
 * @returns like `consumeUpstreamJobs`
 */
export async function startUpstreamLane(deps: Deps, signals: LaneSignals): Promise<() => Promise<void>> {
  let lane: Promise<() => Promise<void>> | null = null;
  const startIfNeeded = ({ engines }: Offering) => {
    if (lane === null && !signals.shutdown.aborted && engines.some(isUpstreamEngine)) {
      lane = consumeUpstreamJobs(deps, signals);
      lane.catch((error: unknown) => {
        deps.log.error({ err: error }, 'upstream lane could not start');
        lane = null;
      });
    }
  };
  const unsubscribe = deps.offering.subscribe(startIfNeeded);
  startIfNeeded(deps.offering.current());
  await lane;
  return async () => {
    unsubscribe();
    const stop = await lane?.catch(() => undefined);
    await stop?.();
  };
}

/**
 * Runs upstream generations, up to the configured concurrency of all processes together, beside the local lane. A job is acknowledged once its
 * generation is claimed: from then on the lease, not the job, recovers it after a crash.
 * @returns a function that stops the lane and resolves when all runs are released
 */
async function consumeUpstreamJobs(deps: Deps, signals: LaneSignals): Promise<() => Promise<void>> {
  const { queue, config, log } = deps;
  const running = new Set<Promise<void>>();
  const stopConsuming = await queue.work('generation.upstream', 1, async ({ generation_id }) => {
    while (running.size >= config.upstreamConcurrency) await Promise.race(running);
    const lease = await claimUpstream(deps, generation_id, signals.shutdown);
    if (!lease) return;
    const run = runClaimed(deps, lease, signals)
      .catch((error: unknown) =>
        log.error({ err: error, generation_id }, 'generation run failed; its lease will expire'),
      )
      .finally(() => running.delete(run));
    running.add(run);
  });
  const stopCanceling = await queue.work('upstream.cancel', CANCEL_CONCURRENCY, (request) =>
    cancelUpstreamJob(deps, request, signals.shutdown),
  );
  return async () => {
    await Promise.all([stopConsuming(), stopCanceling()]);
    await Promise.all(running);
  };
}
