import { type Bill, toBill } from './job-cost.ts';

export interface TokenCharge {
  tokens: number;
  usd_per_million: number;
}

/** Sums charges in micro-dollars: a dollar per million tokens is a micro-dollar per token. */
export const computeTokenCost = (charges: readonly TokenCharge[]): Bill =>
  toBill(
    charges.reduce((sum, { tokens, usd_per_million }) => sum + (tokens < 0 ? Number.NaN : tokens * usd_per_million), 0),
  );
