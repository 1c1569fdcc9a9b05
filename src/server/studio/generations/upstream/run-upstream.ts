import { RunError } from '#server/studio/generations/failure.ts';
import { pollUpstream } from './poll-upstream.ts';
import { submitUpstream } from './submit-upstream.ts';
import type { UpstreamJobRow } from './upstream-job.ts';
import type { UpstreamRun } from './upstream-run.ts';

/**
 * Runs a generation upstream from its current state until it completes, is suspended for a long wait, or this process
 * shuts down. Nothing is submitted twice blindly. Design: The life of a generation
 * @param job the state of earlier submits; null if there were none
 * @throws what `resolveReferences` throws; the shutdown's reason
 */
export async function runUpstream(run: UpstreamRun, job: UpstreamJobRow | null): Promise<void> {
  if (job?.state === 'ended')
    throw new RunError('interrupted', 'The generation was interrupted after the provider had completed it. Try again.');
  const accepted = job?.state === 'accepted' ? { run, job, wait_ms: 0 } : await submitUpstream(run, job);
  if (accepted) await pollUpstream(accepted);
}
