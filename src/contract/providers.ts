import type { PriceUnit } from './money/pricing.ts';

/** Services that the dashboard can connect. */
export const PROVIDER_IDS = [
  'fal',
  'openai',
  'gemini',
  'modelark',
  'replicate',
  'sync',
  'comfyui',
  'comfy-cloud',
  'openai-compatible',
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** What a model can do, as a short list to compare models by. */
export const MODEL_CAPABILITIES = [
  'references',
  'first_frame',
  'last_frame',
  'sound',
  'transparency',
  '2K',
  '4K',
  '1080p',
] as const;
export type ModelCapability = (typeof MODEL_CAPABILITIES)[number];

/**
 * How the cost of a job is known: the provider reported it, it was computed from usage that the provider reported, or
 * it is the list price of the request.
 */
export const COST_BASES = ['reported', 'computed', 'list'] as const;
export type CostBasis = (typeof COST_BASES)[number];
/** `unreadable`: the provider sent a bill that is no amount of a run, so the cost is unknown. */
export const JOB_COST_BASES = [...COST_BASES, 'unreadable'] as const;
export type JobCostBasis = (typeof JOB_COST_BASES)[number];

/** Price of a provider. Amounts are decimal dollars. */
export interface ProviderPrice {
  unit: PriceUnit;
  unit_price_usd: string;
  minimum_usd?: string;
  /** Factors by input field and option, as in the price book. */
  multipliers?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Day on which it was read, `2026-11-22`. */
  read_on: string;
  /** Page that states it. */
  source: string;
  /** What the price leaves out: “References are billed as input tokens.” */
  note?: string;
}
