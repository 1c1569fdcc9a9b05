import * as z from 'zod/mini';
import { GENERATION_STATUSES } from '../generation-status.ts';
import { LEDGER_LINE_STATUSES, LEDGER_TYPES, PIVOT_TIMES, SPENDING_GROUPS } from '../ledger.ts';
import { COST_BASES } from '../providers.ts';
import { id, modelId, taskId, timestamp, usd } from '../primitives.ts';

export const keyReference = z.strictObject({ id: id('key'), name: z.string() });

const workFields = () => ({
  /** Whose key created the generation; null: a program's. */
  person: z.nullable(z.strictObject({ id: id('per'), name: z.string() })),
  /** The first 300 characters of the generation's prompt or query. */
  prompt: z.nullable(z.string()),
  /** Values of the generation's tags. */
  tags: z.record(z.string(), z.string()),
});

/** What the provider charged, for callers with `costs.read`; null: unknown, or no provider. Decision: Ledger costs */
const costFields = () => ({
  cost_usd: z.optional(z.nullable(usd())),
  /** Where the cost is from: reported by the provider, computed from its usage, or its list price. */
  cost_basis: z.optional(z.nullable(z.enum(COST_BASES))),
  /** The charge less refunds and cost. */
  margin_usd: z.optional(z.nullable(usd())),
});

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
  /** The key that moved the money; null: the service itself, or the command line. */
  created_by: z.nullable(keyReference),
  created_at: timestamp(),
  /** 1, 2, 3 … without gaps in an organization. */
  seq: z.optional(z.int()),
  task: z.optional(z.nullable(taskId())),
  model: z.optional(z.nullable(modelId())),
  /** The key that created the generation. */
  key: z.optional(z.nullable(keyReference)),
  /** SHA-256, hex, over this entry and the previous hash: see docs/ledger.md. */
  hash: z.optional(z.string()),
  ...z.partial(z.strictObject(workFields())).shape,
  /** At the SETTLE entry, or the RELEASE of work without a charge; a REFUND has a margin only. */
  ...costFields(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const entryPosition = () => z.nullable(z.strictObject({ id: id('led'), seq: z.int() }));

/** An entry with what an auditor checks it by. Decision: Ledger lines */
export const LedgerEntryDetail = z.strictObject({
  ...LedgerEntry.shape,
  /** The hash that this entry's hash covers; 64 zeros for the first entry. */
  previous_hash: z.string(),
  /** Of the generation. */
  metadata: z.record(z.string(), z.string()),
  /** Null at the ends of the ledger, and where the caller may not see the entry. */
  previous: entryPosition(),
  next: entryPosition(),
  /** Entries of the same generation, oldest first, at most 100; of others the entry itself. */
  entries: z.array(LedgerEntry),
});
export type LedgerEntryDetail = z.infer<typeof LedgerEntryDetail>;

/** The entries of a generation as one line, or an entry that belongs to none. Decision: Ledger lines */
export const LedgerLine = z.strictObject({
  /** Of the line's first entry that matches the filters. */
  id: id('led'),
  object: z.literal('ledger_line'),
  status: z.enum(LEDGER_LINE_STATUSES),
  /** Sum of its entries: the effect on the available funds. */
  amount_usd: usd(),
  charged_usd: usd(),
  refunded_usd: usd(),
  /** Numbers of its entries, oldest first, at most 100. */
  seqs: z.array(z.int()),
  first_seq: z.int(),
  last_seq: z.int(),
  last_entry_id: id('led'),
  entry_count: z.int(),
  generation_id: z.nullable(id('gen')),
  workflow_run_id: z.nullable(id('run')),
  task: z.nullable(taskId()),
  model: z.nullable(modelId()),
  description: z.string(),
  /** Of the last refund. */
  reason: z.nullable(z.string()),
  key: z.nullable(keyReference),
  created_by: z.nullable(keyReference),
  ...workFields(),
  ...costFields(),
  created_at: timestamp(),
  last_entry_at: timestamp(),
});
export type LedgerLine = z.infer<typeof LedgerLine>;

export const typeSumsSchema = () =>
  z.array(z.strictObject({ type: z.enum(LEDGER_TYPES), amount_usd: usd(), count: z.int() }));

export const LedgerSums = z.strictObject({
  object: z.literal('ledger_sums'),
  count: z.int(),
  /** Signed: the effect on the available funds. */
  amount_usd: usd(),
  /** SETTLE less REFUND. */
  spent_usd: usd(),
  /** Only types that have entries. */
  by_type: typeSumsSchema(),
});
export type LedgerSums = z.infer<typeof LedgerSums>;

const tagGroup = () => z.templateLiteral(['tag:', z.string().check(z.regex(/[a-z][a-z0-9_]{0,31}/))]);

/** By which spending is grouped. */
export const spendingGroup = () =>
  z.union([z.enum(SPENDING_GROUPS), tagGroup()], 'Choose task, model, key, person or tag:<name>.');

export const pivotDimension = () =>
  z.union(
    [z.enum([...SPENDING_GROUPS, ...PIVOT_TIMES]), tagGroup()],
    'Choose task, model, key, person, tag:<name>, month, week or day.',
  );

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

export const Reservation = z.strictObject({
  object: z.literal('reservation'),
  generation_id: id('gen'),
  status: z.enum(GENERATION_STATUSES),
  task: taskId(),
  model: z.nullable(modelId()),
  workflow_run_id: z.nullable(id('run')),
  created_by: keyReference,
  amount_usd: usd(),
  created_at: timestamp(),
});
export type Reservation = z.infer<typeof Reservation>;

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
export const CreditCreate = z.strictObject({
  amount_usd: z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'Enter an amount in dollars such as 25 or -3.50.')),
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});

const pivotCell = z.strictObject({ amount_usd: usd(), previous_usd: usd(), count: z.int() });
/** id null: work without a value; `(other)`: everything beyond the largest. */
const pivotHeading = { id: z.nullable(z.string()), name: z.string() };

/** Spending by two dimensions, with that of the previous period of the same length beside it. Decision: Pivot */
export const Pivot = z.strictObject({
  object: z.literal('pivot'),
  rows_by: pivotDimension(),
  columns_by: pivotDimension(),
  from: timestamp(),
  to: timestamp(),
  previous_from: timestamp(),
  columns: z.array(z.strictObject({ ...pivotHeading, total: pivotCell })),
  rows: z.array(z.strictObject({ ...pivotHeading, total: pivotCell, cells: z.array(pivotCell) })),
  total: pivotCell,
});
export type Pivot = z.infer<typeof Pivot>;
