import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST, SERVICE_UNAVAILABLE } from '#contract/api/endpoint.ts';
import { PIVOT_DIMENSIONS, SPENDING_GROUPS } from '#contract/money/ledger.ts';
import { id, modelId, queryDateTime, querySchema, spendingFilter, taskId, timestamp, usd } from '../primitives.ts';
import { LedgerEntry } from './ledger.ts';

const tagGroup = () => z.templateLiteral(['tag:', z.string().check(z.regex(/[a-z][a-z0-9_]{0,31}/))]);

/** One of the dimensions of a report, or a tag. */
export const dimension = <const Name extends string>(names: readonly [Name, ...Name[]]) =>
  z.union([z.enum(names), tagGroup()], `Choose ${names.join(', ')} or tag:<name>.`);

/** By which spending is grouped. */
export const spendingGroup = () => dimension(SPENDING_GROUPS);
const pivotDimension = () => dimension(PIVOT_DIMENSIONS);

/** SETTLE less REFUND by day (UTC) and by task, model, key, person or tag. */
export const Spending = z.strictObject({
  object: z.literal('spending'),
  by: spendingGroup(),
  from: timestamp(),
  to: timestamp(),
  /** Oldest day first, without empty days. */
  data: z.array(
    z.strictObject({
      date: z.iso.date(),
      /** Id of the task, model, key or person, or the value of the tag; null: none. */
      id: z.nullable(z.string()),
      name: z.string(),
      amount_usd: usd(),
      count: z.int(),
    }),
  ),
});
export type Spending = z.infer<typeof Spending>;

/** `amount_usd` defaults to the rest of the charge. */
export const RefundCreate = z.strictObject({
  generation_id: id('gen'),
  amount_usd: z.optional(
    z.string().check(z.regex(/^\d{1,9}(\.\d{1,6})?$/, 'Enter an amount in dollars such as 3.50.')),
  ),
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

const sumFields = { amount_usd: usd(), count: z.int() };

/** Decision: Billing summary */
export const BillingSummary = z.strictObject({
  object: z.literal('billing_summary'),
  currency: z.literal('usd'),
  balance_usd: usd(),
  reserved_usd: usd(),
  available_usd: usd(),
  spent_this_month_usd: usd(),
  spent_total_usd: usd(),
  by_day: z.array(z.strictObject({ date: z.iso.date(), ...sumFields })),
  by_task: z.array(z.strictObject({ task: taskId(), ...sumFields })),
  by_model: z.array(z.strictObject({ model: z.nullable(modelId()), ...sumFields })),
  by_key: z.array(z.strictObject({ key_id: id('key'), name: z.string(), ...sumFields })),
});
export type BillingSummary = z.infer<typeof BillingSummary>;

/** Decision: Credits and refunds */
const CreditCreate = z.strictObject({
  amount_usd: z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'Enter an amount in dollars such as 25 or -3.50.')),
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

const pivotCell = z.strictObject({ amount_usd: usd(), previous_usd: usd(), count: z.int() });
/** id null: work without a value; `(other)`: everything beyond the largest. */
const pivotHeading = { id: z.nullable(z.string()), name: z.string() };

/** Spending by one or two dimensions, with that of the previous period of the same length beside it. Decision: Pivot */
export const Pivot = z.strictObject({
  object: z.literal('pivot'),
  rows_by: pivotDimension(),
  /** null: only totals. */
  columns_by: z.nullable(pivotDimension()),
  from: timestamp(),
  to: timestamp(),
  previous_from: timestamp(),
  columns: z.array(z.strictObject({ ...pivotHeading, total: pivotCell })),
  rows: z.array(z.strictObject({ ...pivotHeading, total: pivotCell, cells: z.array(pivotCell) })),
  total: pivotCell,
});
export type Pivot = z.infer<typeof Pivot>;

const pivotQuery = () => ({
  rows: pivotDimension(),
  /** Without it, rows have totals only. */
  columns: z.optional(pivotDimension()),
  from: queryDateTime(),
  to: queryDateTime(),
  ...spendingFilter(),
});

export const billingEndpoints = defineEndpoints('Billing', {
  get_billing_summary: {
    summary: 'Read funds and spending',
    query: querySchema({ from: queryDateTime(), to: queryDateTime() }),
    status: 200,
    response: BillingSummary,
    errors: { 422: INVALID_REQUEST },
  },
  get_spending: {
    summary: 'Read spending per day by task, model, key, person or tag',
    query: querySchema({ by: spendingGroup(), from: queryDateTime(), to: queryDateTime(), ...spendingFilter() }),
    status: 200,
    response: Spending,
    errors: { 422: INVALID_REQUEST },
  },
  get_pivot: {
    summary: 'Read spending by one or two dimensions, beside the previous period',
    query: querySchema(pivotQuery()),
    status: 200,
    response: Pivot,
    errors: { 422: INVALID_REQUEST },
  },
  export_pivot: {
    summary: 'Export spending by one or two dimensions as CSV',
    query: querySchema(pivotQuery()),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
  },
  create_refund: {
    summary: 'Refund the charge of a generation, in full or in part',
    body: RefundCreate,
    idempotency: 'optional',
    status: 201,
    response: LedgerEntry,
    errors: {
      400: INVALID_REQUEST,
      404: ['generation_not_found'],
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  create_credit: {
    summary: 'Add credit or adjust the balance',
    body: CreditCreate,
    idempotency: 'optional',
    status: 201,
    response: LedgerEntry,
    errors: { 400: INVALID_REQUEST, 409: ['idempotency_conflict'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
});
