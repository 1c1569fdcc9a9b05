import * as z from 'zod/mini';
import { creatorSchema, id, month, nano, taskId, timestamp, usd } from '../primitives.ts';
import { billProvider } from './provider-bill.ts';

/** What the difference between a bill and our costs is made of. Decision: Closing */
export const FINDING_KINDS = [
  'equal',
  'rounded',
  'price_differs',
  'billed_not_delivered',
  'billed_later',
  'theirs_only',
  'ours_only',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/**
 * - `use_new_cost`: books the difference, and later jobs of the model are expected to cost what was billed.
 * - `book_cost`: books the difference as cost, of the generation or outside of orders.
 * - `write_off`: takes the cost back, since it will not be billed.
 */
export const SETTLE_ACTIONS = ['use_new_cost', 'book_cost', 'write_off'] as const;
export type SettleAction = (typeof SETTLE_ACTIONS)[number];

/** Actions that need a note, because the bill does not say why. */
export const NEEDS_NOTE: readonly { action: SettleAction; kind: FindingKind }[] = [
  { action: 'book_cost', kind: 'theirs_only' },
  { action: 'write_off', kind: 'ours_only' },
];

/**
 * Why a finding has its kind. Of `price_differs` what differs, of `billed_not_delivered` how the work ended, of
 * `theirs_only` what the line is.
 */
export const FINDING_CAUSES = [
  'unit_price',
  'discount',
  'quantity',
  'repeated',
  'unknown_cost',
  'total',
  'failed',
  'canceled',
  'timed_out',
  'other_month',
  'unfinished',
  'unknown_request',
  'other_provider',
  'no_request',
  'tax',
  'credit',
  'purchase',
  'adjustment',
  'not_billed',
] as const;
export type FindingCause = (typeof FINDING_CAUSES)[number];

const FindingDetail = z.strictObject({
  /** null: equal, or rounded. */
  cause: z.nullable(z.enum(FINDING_CAUSES)),
  /** Unit prices of `unit_price` and `discount`, quantities of `quantity`; null elsewhere. */
  ours: z.nullable(nano()),
  theirs: z.nullable(nano()),
  /** Of `discount`: how much less was billed. */
  percent: z.nullable(z.int()),
  /** Of `repeated`: how often it was billed. */
  times: z.nullable(z.int()),
  /** Of `other_month`: where the other side is. */
  month: z.nullable(month()),
});
export type FindingDetail = z.infer<typeof FindingDetail>;

const settleActions = () => z.array(z.enum(SETTLE_ACTIONS));
export const findingId = () => id('fnd');

const Settled = z.strictObject({
  id: id('cls'),
  action: z.enum(SETTLE_ACTIONS),
  note: z.nullable(z.string()),
  /** What it added to our costs. */
  amount_usd: nano(),
  by: creatorSchema(),
  at: timestamp(),
});

/** A request, or lines and jobs of one day and model, on both sides. */
export const ClosingFinding = z.strictObject({
  object: z.literal('closing_finding'),
  id: findingId(),
  month: month(),
  provider: billProvider(),
  kind: z.enum(FINDING_KINDS),
  /** null: of no job, or of several. */
  generation_id: z.nullable(id('gen')),
  job_count: z.int(),
  task: z.nullable(taskId()),
  model: z.nullable(z.strictObject({ id: z.string(), name: z.string() })),
  request_id: z.nullable(z.string()),
  /** What the bill calls it. */
  service: z.nullable(z.string()),
  /** The first line; `GET /v1/billing/bills/{bill_id}/lines` has it. */
  line: z.nullable(z.strictObject({ bill_id: id('bil'), row: z.int() })),
  line_count: z.int(),
  /** Of the line, else when the job was booked. */
  charged_at: timestamp(),
  /** Of jobs that are booked in this month; null without one, or where it is unknown. */
  cost_usd: z.nullable(usd()),
  /** null without a line. */
  bill_usd: z.nullable(nano()),
  /** Bill less cost. */
  difference_usd: nano(),
  /** What settling adds to our costs; 0: nothing is to be settled. */
  due_usd: nano(),
  /** Its lines are of a month that was closed before. */
  is_correction: z.boolean(),
  detail: FindingDetail,
  /** Those that are accepted for it; empty: settled, or nothing is to be settled. */
  actions: settleActions(),
  /** The last time. */
  settled: z.nullable(Settled),
});
export type ClosingFinding = z.infer<typeof ClosingFinding>;

/** With all of its settlements. */
export const ClosingFindingDetails = z.extend(ClosingFinding, {
  /** The newest first. */
  settlements: z.array(Settled),
});
export type ClosingFindingDetails = z.infer<typeof ClosingFindingDetails>;

export const KindSums = z.strictObject({
  kind: z.enum(FINDING_KINDS),
  /** Findings, their bill lines and their jobs. */
  finding_count: z.int(),
  line_count: z.int(),
  job_count: z.int(),
  /** Bill less cost. */
  amount_usd: nano(),
  /** Not settled. `ours_only` may wait: it is open, and the month can be closed. */
  open_count: z.int(),
  open_usd: nano(),
  /** At least one open finding accepts it; settling the kind settles those that do. */
  actions: settleActions(),
});
export type KindSums = z.infer<typeof KindSums>;
