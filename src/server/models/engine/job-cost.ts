import type { CostBasis } from '#contract/providers.ts';
import { EngineError } from './engine.ts';
import type { UpstreamCost } from './upstream.ts';

export const toUpstreamCost = (cost_micro_usd: bigint | null, cost_basis: CostBasis): UpstreamCost | null =>
  cost_micro_usd === null ? null : { cost_micro_usd, cost_basis };

/** Adds what the provider charges for a failed job to its error. */
export function withJobCost(error: EngineError, cost: UpstreamCost | null): EngineError {
  error.cost ??= cost;
  return error;
}

/** Works on the result of a job that the provider charges for. @throws like `work`, an `EngineError` with the cost */
export async function chargedWork<T>(cost: UpstreamCost | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof EngineError ? withJobCost(error, cost) : error;
  }
}
