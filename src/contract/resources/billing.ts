import * as z from 'zod/mini';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { LEDGER_TYPES } from '../ledger-types.ts';
import { Pricing } from './catalog.ts';
import { id, jsonObject, modelId, month, taskId, timestamp, usd } from '../primitives.ts';

const keyName = z.strictObject({ id: id('key'), name: z.string() });

/** Decision: Ledger. The optional fields are an addition. */
export const LedgerEntry = z.strictObject({
  id: id('led'),
  object: z.literal('ledger_entry'),
  type: z.enum(LEDGER_TYPES),
  amount_usd: usd(),
  available_after_usd: usd(),
  balance_after_usd: usd(),
  generation_id: z.nullable(id('gen')),
  workflow_run_id: z.nullable(id('run')),
  description: z.string(),
  /** Who moved the money; null: the service itself, or somebody at its shell. */
  created_by: z.nullable(keyName),
  created_at: timestamp(),
  /** 1, 2, 3 … without gaps in an organization. */
  seq: z.optional(z.int()),
  task: z.optional(z.nullable(taskId())),
  model: z.optional(z.nullable(modelId())),
  /** Whose spending it is: the key that ordered the generation. */
  key: z.optional(z.nullable(keyName)),
  /** SHA-256, hex, of this entry and the one before: see docs/ledger.md. */
  hash: z.optional(z.string()),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const typeSums = () =>
  z.array(z.strictObject({ type: z.enum(LEDGER_TYPES), amount_usd: usd(), count: z.int() }));

/** What the entries of a filter add up to. */
export const LedgerSums = z.strictObject({
  object: z.literal('ledger_sums'),
  count: z.int(),
  /** Signed: the effect on the available funds. */
  amount_usd: usd(),
  /** SETTLE less REFUND. */
  spent_usd: usd(),
  /** Types that there are entries of. */
  by_type: typeSums(),
});
export type LedgerSums = z.infer<typeof LedgerSums>;

export const SPENDING_GROUPS = ['task', 'model', 'key'] as const;
export type SpendingGroup = (typeof SPENDING_GROUPS)[number];

/** SETTLE less REFUND by day, UTC, and by what it was spent on, or by whom. */
export const Spending = z.strictObject({
  object: z.literal('spending'),
  by: z.enum(SPENDING_GROUPS),
  from: timestamp(),
  to: timestamp(),
  /** Oldest day first; days without any are left out. */
  data: z.array(
    z.strictObject({
      date: z.iso.date(),
      /** Of the task, model or key; null: a task without models. */
      id: z.nullable(z.string()),
      name: z.string(),
      amount_usd: usd(),
      /** Number of charges. */
      count: z.int(),
    }),
  ),
});
export type Spending = z.infer<typeof Spending>;

/** What is held for a generation that has not ended. */
export const Reservation = z.strictObject({
  object: z.literal('reservation'),
  generation_id: id('gen'),
  status: z.enum(GENERATION_STATUSES),
  task: taskId(),
  model: z.nullable(modelId()),
  workflow_run_id: z.nullable(id('run')),
  created_by: keyName,
  amount_usd: usd(),
  /** Since when it is held. */
  created_at: timestamp(),
});
export type Reservation = z.infer<typeof Reservation>;

/** `amount_usd`: all that is left of the charge where it is left out. */
export const RefundCreate = z.strictObject({
  generation_id: id('gen'),
  amount_usd: z.optional(z.string().check(z.regex(/^\d{1,9}(\.\d{1,6})?$/, 'Give an amount in dollars such as 3.50.'))),
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

const sums = { amount_usd: usd(), count: z.int() };

/** Decision: Ledger (Summary), Summary groups */
export const BillingSummary = z.strictObject({
  object: z.literal('billing_summary'),
  currency: z.literal('usd'),
  balance_usd: usd(),
  reserved_usd: usd(),
  available_usd: usd(),
  spent_this_month_usd: usd(),
  spent_total_usd: usd(),
  by_day: z.array(z.strictObject({ date: z.iso.date(), ...sums })),
  by_task: z.array(z.strictObject({ task: taskId(), ...sums })),
  by_model: z.array(z.strictObject({ model: z.nullable(modelId()), ...sums })),
  by_key: z.array(z.strictObject({ key_id: id('key'), name: z.string(), ...sums })),
});
export type BillingSummary = z.infer<typeof BillingSummary>;

/** Decision: Credentials */
export const CreditCreate = z.strictObject({
  amount_usd: z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'Give an amount in dollars such as 25 or -3.50.')),
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

export const BUDGET_STATES = ['ok', 'warning', 'exhausted'] as const;

/** What may be spent in a month, UTC, by the organization or one key. What is spent and what is held both count. */
export const Budget = z.strictObject({
  /** `organization`, or the id of a key. */
  id: z.string(),
  object: z.literal('budget'),
  key: z.nullable(keyName),
  limit_usd: usd(),
  /** From this share of the limit on, `state` is `warning`. */
  warn_at_percent: z.int(),
  /** Who is asked for more. */
  contact: z.nullable(z.string()),
  month: month(),
  /** SETTLE less REFUND in this month. */
  spent_usd: usd(),
  reserved_usd: usd(),
  /** Never below zero. */
  left_usd: usd(),
  state: z.enum(BUDGET_STATES),
  updated_at: timestamp(),
});
export type Budget = z.infer<typeof Budget>;

/** `key_id`: null for the whole organization. */
export const BudgetSet = z.strictObject({
  key_id: z.nullable(id('key')),
  limit_usd: z.string().check(z.regex(/^\d{1,9}(\.\d{1,6})?$/, 'Give a limit in dollars such as 50.')),
  warn_at_percent: z._default(z.int().check(z.gte(1), z.lte(100)), 80),
  contact: z.optional(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))),
});
export type BudgetSet = z.infer<typeof BudgetSet>;

export const VERIFICATION_CHECKS = [
  'sequence',
  'chain',
  'balances',
  'generations',
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
  /** Entries that were looked at. */
  checked_entries: z.int(),
  /** The newest entry of those. Noted elsewhere, it proves later that nothing up to it was changed. */
  head: z.nullable(z.strictObject({ seq: z.int(), hash: z.string() })),
  /** Those that were made; after a problem none is. */
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

const funds = () => z.strictObject({ available_usd: usd(), reserved_usd: usd(), balance_usd: usd() });

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
  opening: funds(),
  /** Every type, those without entries too. */
  by_type: typeSums(),
  closing: funds(),
  /** SETTLE less REFUND. */
  spent_usd: usd(),
  entry_count: z.int(),
  first_seq: z.nullable(z.int()),
  last_seq: z.nullable(z.int()),
  /** Of the newest entry up to the end of the month. */
  head_hash: z.nullable(z.string()),
  /** The price books in force, oldest first; `since` null: since before they were noted. */
  prices: z.array(z.strictObject({ since: z.nullable(timestamp()), data: Pricing.shape.data })),
});
export type Statement = z.infer<typeof Statement>;

/** Other ways to have made what was really made. Fields that the other model lacks are left out. */
export const WhatIfAsk = z.strictObject({
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  task: taskId(),
  /** Only what was made with this model. */
  model: z.optional(z.nullable(modelId())),
  change: z.strictObject({ model: z.optional(modelId()), input: z.optional(jsonObject()) }),
});
export type WhatIfAsk = z.infer<typeof WhatIfAsk>;

/** What was charged, and what it would have cost. */
export const WhatIf = z.strictObject({
  object: z.literal('what_if'),
  from: timestamp(),
  to: timestamp(),
  task: taskId(),
  /** Charges of the period. */
  count: z.int(),
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
