import type { Db } from '#server/platform/db/db.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { readCorrectedCost } from '#server/accounts/closing/settling/read-corrections.ts';
import { readUpstreamJob, type UpstreamJobRow } from './upstream-job.ts';
import type { Deps } from '#server/platform/deps.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { readJobProvider } from '#server/models/connections/read-job-provider.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';

export const presentUpstreamJob = async (
  db: Pick<Deps['db'], 'select'>,
  job: UpstreamJobRow,
  generation: GenerationRow,
): Promise<UpstreamJob> => ({
  ...(await readCorrectedCost(db, generation.id, job.cost_micro_usd)),
  object: 'upstream_job',
  generation_id: generation.id,
  engine: job.engine,
  state: job.state,
  handle: job.handle,
  request_id: job.request_id,
  submitted_at: job.submitted_at.toISOString(),
  updated_at: job.updated_at.toISOString(),
  last_problem: job.last_problem,
  cost_usd: job.cost_micro_usd === null ? null : formatUsd(job.cost_micro_usd),
  cost_basis: job.cost_basis,
  provider_id: job.connection_id,
  provider: await readJobProvider(db, job.connection_id, generation),
  amount_usd: formatUsd(generation.amount_micro_usd),
  billing_status: generation.billing_status,
});

/** @throws {ApiError} 404 `generation_not_found`; `not_found` if it was never sent upstream */
export async function findUpstreamJob(db: Db, organizationId: string, id: string): Promise<UpstreamJob> {
  const { generation } = await findGeneration({ db }, organizationId, id);
  const job = await readUpstreamJob(db, id);
  if (job) return presentUpstreamJob(db, job, generation);
  throw new ApiError('not_found', 'This generation was not sent to a provider.');
}
