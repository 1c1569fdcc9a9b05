import { satisfiesRule } from '#contract/task.ts';
import { describeProviderError, ProviderAccountError } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamEngine } from '#server/models/engine/upstream.ts';
import { recordConnectionProblem, recordConnectionSuccess } from '#server/models/connections/connection-health.ts';
import type { UpstreamResponse } from './call-upstream.ts';
import { isUpstreamEngine } from './find-upstream-engine.ts';
import type { UpstreamRun } from './upstream-run.ts';

/** Records what a response says about the health of the run's provider. */
export async function recordProviderHealth({ deps, engine }: UpstreamRun, response: UpstreamResponse): Promise<void> {
  const { connection_id } = engine;
  if (connection_id === undefined) return;
  if (response.status === 'accepted' || response.status === 'succeeded')
    return recordConnectionSuccess(deps.db, connection_id);
  if (response.status === 'unclear') return;
  if (response.status === 'refused') {
    // Refused content is no problem of the provider.
    if (response.error.code === 'content_refused') return;
    const isAccountProblem = response.error instanceof ProviderAccountError;
    return recordConnectionProblem(deps, connection_id, {
      message: describeProviderError(response.error),
      is_account_problem: isAccountProblem,
    });
  }
  return recordConnectionProblem(deps, connection_id, { message: response.problem, is_account_problem: false });
}

/** Rejections of a busy provider before the next one is tried. */
const MAX_BUSY_RESPONSES = 3;

/**
 * Finds the provider to try next after a submit that was certainly not accepted.
 * @param problemCount consecutive problems of this job
 * @returns null if the response says nothing against this provider, or no other one runs this input
 */
export function findFallback(
  { deps, engine, lease: { row } }: UpstreamRun,
  response: UpstreamResponse,
  problemCount: number,
): UpstreamEngine | null {
  const isRejected =
    (response.status === 'refused' && response.error.code === 'model_unavailable') ||
    (response.status === 'busy' && problemCount >= MAX_BUSY_RESPONSES);
  if (!isRejected || engine.connection_id === undefined) return null;
  const candidates = deps.offering
    .current()
    .engines.filter(isUpstreamEngine)
    .filter((candidate) => candidate.supports(row.task, row.model));
  // A rejection may just have paused the engine, which then supports nothing.
  const later = candidates.slice(candidates.findIndex(({ name }) => name === engine.name) + 1);
  return (
    later.find(
      ({ name, restrictions = [] }) =>
        name !== engine.name && restrictions.every((rule) => satisfiesRule(rule, row.input)),
    ) ?? null
  );
}
