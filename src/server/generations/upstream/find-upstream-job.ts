import type { UpstreamJob } from '#contract/resources/review.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';
import { findGeneration } from '../find-generation.ts';
import { presentUpstreamJob } from './present-upstream-job.ts';
import { readUpstreamJob } from './upstream-job.ts';

/** @throws {ApiError} 404 `generation_not_found`; `not_found` if it was never sent upstream */
export async function findUpstreamJob(
  { db }: Pick<Deps, 'db'>,
  organization_id: string,
  id: string,
): Promise<UpstreamJob> {
  const { generation } = await findGeneration({ db }, organization_id, id);
  const job = await readUpstreamJob(db, id);
  if (job) return presentUpstreamJob(job, generation);
  throw new ApiError('not_found', 'This generation was not sent to an upstream service.');
}
