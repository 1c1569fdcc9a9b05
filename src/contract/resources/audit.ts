import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import {
  id,
  jsonObject,
  modelId,
  month,
  querySchema,
  querySeq,
  spendingFilter,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import { spendingGroup } from './billing.ts';
import { Pricing } from './catalog.ts';
import { typeSumsSchema } from './ledger.ts';

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
  'audit_log',
  'closings',
] as const;
export type VerificationCheck = (typeof VERIFICATION_CHECKS)[number];

export const Verification = z.strictObject({
  object: z.literal('verification'),
  ok: z.boolean(),
  checked_entries: z.int(),
  /** The newest correct entry. Stored elsewhere, it can prove later that no entry up to it has changed. */
  head: z.nullable(z.strictObject({ seq: z.int(), hash: z.string() })),
  /** The checks that ran. If one fails, the others cover `checked_entries` only and sums are not checked. */
  checks: z.array(z.strictObject({ name: z.enum(VERIFICATION_CHECKS), ok: z.boolean() })),
  problem: z.nullable(
    z.strictObject({
      check: z.enum(VERIFICATION_CHECKS),
      seq: z.nullable(z.int()),
      entry_id: z.nullable(z.string()),
      message: z.string(),
    }),
  ),
  started_at: timestamp(),
  duration_ms: z.int(),
});
export type Verification = z.infer<typeof Verification>;

const fundsSchema = () => z.strictObject({ available_usd: usd(), reserved_usd: usd(), balance_usd: usd() });

/** Spending by one dimension; the rows add up to `spent_usd`. */
const breakdownSchema = () =>
  z.strictObject({
    by: spendingGroup(),
    /** Largest first, at most 200. id null: none; `(other)`: everything beyond the largest. */
    rows: z.array(z.strictObject({ id: z.nullable(z.string()), name: z.string(), amount_usd: usd(), count: z.int() })),
  });

export const Statement = z.strictObject({
  object: z.literal('billing_statement'),
  organization: z.strictObject({ id: id('org'), name: z.string() }),
  month: month(),
  from: timestamp(),
  /** Exclusive. */
  to: timestamp(),
  /** The month is over, so the statement does not change any more. */
  is_final: z.boolean(),
  currency: z.literal('usd'),
  /** null: the whole organization. `person.id` null: programs; a tag's value null: work without one. */
  filter: z.nullable(
    z.strictObject({
      person: z.nullable(z.strictObject({ id: z.nullable(z.string()), name: z.string() })),
      tags: z.record(z.string(), z.nullable(z.string())),
    }),
  ),
  /** null with a filter, like `closing`: a part of the spending has no funds. */
  opening: z.nullable(fundsSchema()),
  /** All types, including those without entries. Like the sums and the breakdowns, of the filter only. */
  by_type: typeSumsSchema(),
  closing: z.nullable(fundsSchema()),
  spent_usd: usd(),
  /** What providers charged for the work of the month; only if the request asks for it. Decision: Ledger costs */
  costs: z.optional(
    z.strictObject({
      /** Sum of the known costs; null where none is known. */
      cost_usd: z.nullable(usd()),
      /** Charges less refunds and cost, of work with a known cost only; null where none is known. */
      margin_usd: z.nullable(usd()),
      /** Part of the cost: what settling bills of providers has added. Decision: Closing */
      corrected_usd: usd(),
      /** Costs booked outside of orders, in neither cost nor margin. */
      outside_orders_usd: usd(),
      /** Charges with a known cost, and all others. */
      known_count: z.int(),
      unknown_count: z.int(),
    }),
  ),
  entry_count: z.int(),
  /** Of all entries of the month, like `last_seq`. */
  first_seq: z.nullable(z.int()),
  last_seq: z.nullable(z.int()),
  /** Number and hash of the newest entry at the end of the month. */
  head_seq: z.optional(z.nullable(z.int())),
  head_hash: z.nullable(z.string()),
  /** Month of the oldest entry; null for an empty ledger. */
  first_month: z.optional(z.nullable(month())),
  /** By what the request names; empty if it names nothing. */
  breakdowns: z.array(breakdownSchema()),
  /** Price books in force, oldest first; `since` is null for prices older than the record of them. */
  prices: z.array(z.strictObject({ since: z.nullable(timestamp()), data: Pricing.shape.data })),
});
export type Statement = z.infer<typeof Statement>;

/** Limits the work: every charge of the period is priced with this input. */
const MAX_CHANGE_CHARACTERS = 10_000;
const changedInputSchema = () =>
  jsonObject().check(
    z.refine(
      (input) => JSON.stringify(input).length <= MAX_CHANGE_CHARACTERS,
      `The changed input can have at most ${MAX_CHANGE_CHARACTERS.toLocaleString('en-US')} characters of JSON.`,
    ),
  );

/** Reprices past charges with another model or other options. Fields that the other model lacks are dropped. */
export const WhatIfRequest = z.strictObject({
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  task: taskId(),
  /** Only charges of this model. */
  model: z.optional(z.nullable(modelId())),
  change: z.strictObject({ model: z.optional(modelId()), input: z.optional(changedInputSchema()) }),
});
export type WhatIfRequest = z.infer<typeof WhatIfRequest>;

/**
 * Result of repricing. Refunds count on both sides: if a charge was partly refunded, the same share of the other price
 * is taken off.
 */
export const WhatIf = z.strictObject({
  object: z.literal('what_if'),
  from: timestamp(),
  to: timestamp(),
  task: taskId(),
  count: z.int(),
  /** Charges less refunds, also in `repriced_real_usd`. */
  real_usd: usd(),
  /** Number of charges that are possible with the change. */
  repriced_count: z.int(),
  repriced_real_usd: usd(),
  repriced_usd: usd(),
  /** `repriced_usd` less `repriced_real_usd`. */
  difference_usd: usd(),
  /** `upper_bound`: some of the prices could only be lower. */
  basis: z.enum(['exact', 'upper_bound']),
  not_possible: z.strictObject({
    count: z.int(),
    real_usd: usd(),
    /** Most frequent first, at most ten. */
    reasons: z.array(z.strictObject({ message: z.string(), count: z.int() })),
  }),
});
export type WhatIf = z.infer<typeof WhatIf>;

/** What Emulsion charged, or what providers bill. */
const FOCUS_VIEWS = ['charges', 'costs'] as const;
export type FocusView = (typeof FOCUS_VIEWS)[number];

const statementQuery = () =>
  querySchema({
    month: z.optional(month()),
    /** Adds a breakdown. */
    by: z.optional(spendingGroup()),
    /** `true` adds the costs of providers, with `costs.read`: a statement may be meant for a client. */
    costs: z.optional(z.enum(['true', 'false'])),
    ...spendingFilter(),
  });

export const auditEndpoints = defineEndpoints('Billing', {
  get_verification: {
    summary: 'Verify the whole ledger: its chain, sums and balances',
    query: querySchema({
      /** The head of an earlier verification; `seq` and `hash` go together. */
      seq: querySeq(),
      hash: z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
    }),
    status: 200,
    response: Verification,
    errors: { 422: INVALID_REQUEST },
  },
  export_audit_pack: {
    summary: 'Export everything that an audit of some months needs, as a ZIP file that verifies itself',
    /** At most 24 months, both included. */
    query: querySchema({ from: month(), to: month() }),
    status: 200,
    response: 'zip',
    errors: { 422: INVALID_REQUEST },
  },
  get_statement: {
    summary: 'Read the statement of a month, the current one by default',
    query: statementQuery(),
    status: 200,
    response: Statement,
    errors: { 422: INVALID_REQUEST },
  },
  export_statement: {
    summary: 'Export the statement of a month as CSV',
    query: statementQuery(),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
  },
  export_focus: {
    summary: 'Export the charges of a month, or what providers bill for it, as FOCUS 1.2 (CSV)',
    query: querySchema({
      period: month(),
      /** `costs` requires `costs.read`. */
      view: z.enum(FOCUS_VIEWS),
    }),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
  },
  print_statement: {
    summary: 'Export the statement of a month as PDF',
    query: statementQuery(),
    status: 200,
    response: 'pdf',
    errors: { 422: INVALID_REQUEST },
  },
  reprice_spending: {
    summary: 'Reprice past charges with another model or other options',
    body: WhatIfRequest,
    status: 200,
    response: WhatIf,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
});
