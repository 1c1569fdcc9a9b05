import { RunError } from '../failure.ts';
import { pollUpstream } from './poll-upstream.ts';
import { submitUpstream } from './submit-upstream.ts';
import type { UpstreamJobRow } from './upstream-job.ts';
import type { UpstreamRun } from './upstream-run.ts';

/**
 * Takes a generation that another service does from where it stands to its end, or until this worker lets go of it: for a
 * long wait, or because the process ends. Nothing is sent twice blindly. See docs/architecture.md.
 * @param job what is known of its submits; null: there were none
 * @throws what `resolveReferences` throws; the shutdown's reason
 */
export async function runUpstream(run: UpstreamRun, job: UpstreamJobRow | null): Promise<void> {
  if (job?.state === 'ended') throw new RunError('interrupted', 'This broke off after its work upstream had ended.');
  const accepted = job?.state === 'accepted' ? { job, wait_ms: 0 } : await submitUpstream(run, job);
  if (accepted) await pollUpstream(run, accepted);
}
