import * as z from 'zod/mini';
import { typeSumsSchema } from './billing.ts';
import { Pricing } from './catalog.ts';
import { id, jsonObject, modelId, month, taskId, timestamp, usd } from '../primitives.ts';

export const VERIFICATION_CHECKS = [
  'sequence',
  'chain',
  'balances',
  'generations',
  'bills',
  'known_head',
  'account',
  'reservations',
  'spending',
] as const;
export type VerificationCheck = (typeof VERIFICATION_CHECKS)[number];

/** Whether the ledger is whole, and as it was written. */
export const Verification = z.strictObject({
  object: z.literal('verification'),
  ok: z.boolean(),
  /** Entries that were looked at, from the first on; none of them is wrong. */
  checked_entries: z.int(),
  /** The newest entry of those. Noted elsewhere, it proves later that nothing up to it was changed. */
  head: z.nullable(z.strictObject({ seq: z.int(), hash: z.string() })),
  /** Those that were made. Where one fails, the others hold for `checked_entries` only, and no sum is checked. */
  checks: z.array(z.strictObject({ name: z.enum(VERIFICATION_CHECKS), ok: z.boolean() })),
  /** The first thing that does not fit. */
  problem: z.nullable(
    z.strictObject({
      check: z.enum(VERIFICATION_CHECKS),
      seq: z.nullable(z.int()),
      entry_id: z.nullable(z.string()),
      /** A sentence. */
      message: z.string(),
    }),
  ),
  started_at: timestamp(),
  duration_ms: z.int(),
});
export type Verification = z.infer<typeof Verification>;

const fundsSchema = () => z.strictObject({ available_usd: usd(), reserved_usd: usd(), balance_usd: usd() });

/** What a month did to the funds of an organization. */
export const Statement = z.strictObject({
  object: z.literal('billing_statement'),
  organization: z.strictObject({ id: id('org'), name: z.string() }),
  month: month(),
  from: timestamp(),
  /** The first moment that is not in it. */
  to: timestamp(),
  /** The month is over, and so nothing in it will change. */
  is_final: z.boolean(),
  currency: z.literal('usd'),
  opening: fundsSchema(),
  /** Every type, those without entries too. */
  by_type: typeSumsSchema(),
  closing: fundsSchema(),
  /** SETTLE less REFUND. */
  spent_usd: usd(),
  entry_count: z.int(),
  first_seq: z.nullable(z.int()),
  last_seq: z.nullable(z.int()),
  /** Of the newest entry up to the end of the month, as the next is. */
  head_seq: z.optional(z.nullable(z.int())),
  head_hash: z.nullable(z.string()),
  /** Of the oldest entry; null: there is none. */
  first_month: z.optional(z.nullable(month())),
  /** The price books in force, oldest first; `since` null: since before they were noted. */
  prices: z.array(z.strictObject({ since: z.nullable(timestamp()), data: Pricing.shape.data })),
});
export type Statement = z.infer<typeof Statement>;

/** Each charge of the period is priced with it. */
const MAX_CHANGE_CHARACTERS = 10_000;
const changedInputSchema = () =>
  jsonObject().check(
    z.refine(
      (input) => JSON.stringify(input).length <= MAX_CHANGE_CHARACTERS,
      `The changed input takes at most ${MAX_CHANGE_CHARACTERS.toLocaleString('en-US')} characters of JSON.`,
    ),
  );

/** Other ways to have made what was really made. Fields that the other model lacks are left out. */
export const WhatIfRequest = z.strictObject({
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  task: taskId(),
  /** Only what was made with this model. */
  model: z.optional(z.nullable(modelId())),
  change: z.strictObject({ model: z.optional(modelId()), input: z.optional(changedInputSchema()) }),
});
export type WhatIfRequest = z.infer<typeof WhatIfRequest>;

/**
 * What was paid, and what it would have cost. Refunds are taken off: of a charge that was partly refunded, the same share
 * of the other price is refunded.
 */
export const WhatIf = z.strictObject({
  object: z.literal('what_if'),
  from: timestamp(),
  to: timestamp(),
  task: taskId(),
  /** Charges of the period. */
  count: z.int(),
  /** Charges less their refunds, as the next. */
  real_usd: usd(),
  /** Those that can be made the other way. */
  repriced_count: z.int(),
  repriced_real_usd: usd(),
  repriced_usd: usd(),
  /** `repriced_usd` less `repriced_real_usd`. */
  difference_usd: usd(),
  /** `upper_bound`: some of it could only be lower. */
  basis: z.enum(['exact', 'upper_bound']),
  not_possible: z.strictObject({
    count: z.int(),
    real_usd: usd(),
    /** The most frequent first, ten at most. */
    reasons: z.array(z.strictObject({ message: z.string(), count: z.int() })),
  }),
});
export type WhatIf = z.infer<typeof WhatIf>;
