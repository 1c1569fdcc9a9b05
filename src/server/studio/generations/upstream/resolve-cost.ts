import { MAX_RUN_MICRO_USD, toMillionths } from '#contract/money/money.ts';
import type { MediaLengths } from '#contract/money/estimate.ts';
import type { UpstreamCost } from '#server/models/engine/engine.ts';
import type { UpstreamEngine } from '#server/models/engine/upstream.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import type { FinalResponse } from './call-upstream.ts';
import type { UpstreamCompletion } from './upstream-job.ts';

const UNREADABLE = { cost_micro_usd: null, cost_basis: 'unreadable' } as const;

/** How a job completed, as its row records it. */
export function toCompletion(
  engine: UpstreamEngine,
  row: GenerationRow,
  response: FinalResponse,
  lengths: MediaLengths,
): UpstreamCompletion {
  const resolved = resolveCost(engine, row, response, lengths) ?? { cost_micro_usd: null, cost_basis: null };
  const fits = resolved.cost_micro_usd === null || resolved.cost_micro_usd <= MAX_RUN_MICRO_USD;
  const cost = fits ? resolved : UNREADABLE;
  return { ...cost, handle: response.status === 'refused' ? undefined : response.handle };
}

/**
 * What the provider charges for a completed job, failed ones included: the cost that the adapter knows, or the list
 * price of a job that succeeded; not of one whose bill can't be read. @returns null if neither is known
 */
function resolveCost(
  engine: UpstreamEngine,
  row: GenerationRow,
  response: FinalResponse,
  lengths: MediaLengths,
): UpstreamCost | null {
  if (response.status === 'refused') return response.error.cost;
  const { cost_micro_usd = null, cost_basis = 'reported', result } = response;
  const hasUnreadableUnits = result?.units !== undefined && toMillionths(result.units) === null;
  if (cost_basis === 'unreadable' || hasUnreadableUnits) return UNREADABLE;
  if (cost_micro_usd !== null) return { cost_micro_usd, cost_basis };
  if (response.status !== 'succeeded') return null;
  const used = result?.used;
  const list = engine.listCost?.(row, { ...lengths, ...(used ? { used } : {}), units: result?.units }) ?? null;
  return list === null ? null : { cost_micro_usd: list, cost_basis: 'list' };
}
