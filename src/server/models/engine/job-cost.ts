import { dollarsToMicroUsd, toMicroUsd } from '#contract/money/money.ts';
import type { CostBasis } from '#contract/providers.ts';
import { EngineError, type UpstreamCost } from './engine.ts';
import { OutputLostError } from './unfetched-output.ts';

/** Micro-dollars that a provider bills for a job; `unreadable`: what it sent is nothing that a run costs, such as 1e300. */
export type Bill = bigint | 'unreadable';

/** Every amount that a response decides passes here. @param micro_usd of any size, also NaN */
export const toBill = (microUsd: number): Bill => toMicroUsd(microUsd) ?? 'unreadable';

export const dollarsToBill = (dollars: number): Bill => dollarsToMicroUsd(dollars) ?? 'unreadable';

const DECIMAL = /^\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i;

/** The number that a provider wrote as a text; NaN for everything else, such as `0x10`, `-5` and blanks. */
export const parseDecimal = (text: string): number => (DECIMAL.test(text.trim()) ? Number(text) : Number.NaN);

export function toUpstreamCost(bill: Bill | null, costBasis: CostBasis): UpstreamCost | null {
  if (bill === null) return null;
  return bill === 'unreadable'
    ? { cost_micro_usd: null, cost_basis: bill }
    : { cost_micro_usd: bill, cost_basis: costBasis };
}

/** Adds what the provider charges for a failed job to its error. */
export function withJobCost(error: EngineError, cost: UpstreamCost | null): EngineError {
  error.cost ??= cost;
  return error;
}

/** Works on the result of a job that the provider charges for. @throws like `work`, its errors with the cost */
export async function chargedWork<T>(cost: UpstreamCost | null, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutputLostError) withJobCost(error.unfetched, cost);
    throw error instanceof EngineError ? withJobCost(error, cost) : error;
  }
}
