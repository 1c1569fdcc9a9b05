import type { MediaLengths } from '#contract/estimate.ts';
import type { UpstreamCost, UpstreamEngine } from '#server/models/engine/upstream.ts';
import type { GenerationRow } from '#server/studio/generations/present-generation.ts';
import type { FinalResponse } from './call-upstream.ts';
import type { UpstreamCompletion } from './upstream-job.ts';

/** How a job completed, as its row records it. */
export function toCompletion(
  engine: UpstreamEngine,
  row: GenerationRow,
  response: FinalResponse,
  lengths: MediaLengths,
): UpstreamCompletion {
  const cost = resolveCost(engine, row, response, lengths) ?? { cost_micro_usd: null, cost_basis: null };
  return { ...cost, handle: response.status === 'refused' ? undefined : response.handle };
}

/**
 * What the provider charges for a completed job, failed ones included: the cost that the adapter knows, or the list
 * price of a job that succeeded. @returns null if neither is known
 */
function resolveCost(
  engine: UpstreamEngine,
  row: GenerationRow,
  response: FinalResponse,
  lengths: MediaLengths,
): UpstreamCost | null {
  if (response.status === 'refused') return response.error.cost;
  const { cost_micro_usd = null, cost_basis = 'reported', result } = response;
  if (cost_micro_usd !== null) return { cost_micro_usd, cost_basis };
  if (response.status !== 'succeeded') return null;
  const used = result?.used;
  const list = engine.listCost?.(row, { ...lengths, ...(used ? { used } : {}), units: result?.units }) ?? null;
  return list === null ? null : { cost_micro_usd: list, cost_basis: 'list' };
}
