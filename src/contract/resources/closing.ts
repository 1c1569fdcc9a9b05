import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { line } from '#contract/one-line.ts';
import {
  creatorSchema,
  id,
  listSchema,
  month,
  nano,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import { billProvider, billProviderId } from './provider-bill.ts';

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
const findingId = () => id('fnd');

const Settled = z.strictObject({
  id: id('cls'),
  action: z.enum(SETTLE_ACTIONS),
  note: z.nullable(z.string()),
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

const KindSums = z.strictObject({
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

const MONTH_STATUSES = ['open', 'closed'] as const;

const CLOSE_PROBLEMS = ['month_not_over', 'open_findings', 'already_closed'] as const;

/** Our costs beside the bills of a month, by provider. */
export const Close = z.strictObject({
  object: z.literal('billing_close'),
  month: month(),
  status: z.enum(MONTH_STATUSES),
  closed: z.nullable(
    z.strictObject({
      at: timestamp(),
      by: creatorSchema(),
      /** Number and hash of the closing record in its chain. */
      seq: z.int(),
      hash: z.string(),
    }),
  ),
  can_close: z.boolean(),
  /** Why it can't be closed, one sentence each. */
  problems: z.array(z.strictObject({ code: z.enum(CLOSE_PROBLEMS), message: z.string() })),
  /** By name; connected providers, and those with costs or a bill. */
  data: z.array(
    z.strictObject({
      provider: billProvider(),
      status: z.enum(MONTH_STATUSES),
      /** Known costs of jobs in the month, before corrections. */
      cost_usd: usd(),
      unknown_cost_count: z.int(),
      bill_count: z.int(),
      /** null: no bill yet, like `difference_usd`. */
      bill_usd: z.nullable(nano()),
      /** Bill less cost: the sum of the findings. */
      difference_usd: z.nullable(nano()),
      /** Settled, or with nothing to settle. With `open_usd` it is the difference. */
      explained_usd: nano(),
      open_usd: nano(),
      open_count: z.int(),
      /** What was booked by settling, in addition to `cost_usd`. */
      corrected_usd: nano(),
      /** In the order of `FINDING_KINDS`, without those that it has none of; empty without a bill. */
      findings: z.array(KindSums),
      /** When both sides were compared; null without a bill. */
      matched_at: z.nullable(timestamp()),
    }),
  ),
});
export type Close = z.infer<typeof Close>;
export type CloseRow = Close['data'][number];

const MAX_NOTE_CHARACTERS = 500;
export const MAX_SETTLED_IDS = 200;

export const SettlementRequest = z.strictObject({
  month: month(),
  provider_id: billProviderId(),
  /** All open findings of a kind, or those in `finding_ids`. */
  kind: z.optional(z.enum(FINDING_KINDS)),
  finding_ids: z.optional(z.array(findingId()).check(z.minLength(1), z.maxLength(MAX_SETTLED_IDS))),
  /** Of a kind, only those of this model. */
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  action: z.enum(SETTLE_ACTIONS),
  /** Required where `NEEDS_NOTE` says so. */
  note: z.optional(line(MAX_NOTE_CHARACTERS)),
});
export type SettlementRequest = z.infer<typeof SettlementRequest>;

/** An entry of the chain of closings. */
export const Settlement = z.strictObject({
  object: z.literal('closing_settlement'),
  id: id('cls'),
  seq: z.int(),
  hash: z.string(),
  month: month(),
  provider: billProvider(),
  action: z.enum(SETTLE_ACTIONS),
  note: z.nullable(z.string()),
  finding_count: z.int(),
  /** Added to our costs. */
  amount_usd: nano(),
  by: creatorSchema(),
  at: timestamp(),
});
export type Settlement = z.infer<typeof Settlement>;

const monthParams = z.object({ month: pathId() });
const UNPROCESSABLE = { 422: INVALID_REQUEST } as const;

export const closingEndpoints = defineEndpoints('Billing', {
  get_close: {
    summary: 'Compare our costs of a month with the bills of providers',
    query: querySchema({ month: month() }),
    status: 200,
    response: Close,
    errors: UNPROCESSABLE,
  },
  list_closing_findings: {
    summary: 'List what a difference is made of, the largest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      month: month(),
      provider_id: z.optional(billProviderId()),
      kind: z.optional(z.enum(FINDING_KINDS)),
      settled: z.optional(z.enum(['open', 'settled'])),
      /** Part of a request id, a generation id, or what we or the bill call the model. */
      q: z.optional(z.string().check(z.maxLength(200))),
    }),
    status: 200,
    response: listSchema(ClosingFinding),
    errors: { 400: INVALID_REQUEST, ...UNPROCESSABLE },
  },
  settle_findings: {
    summary: 'Settle findings of one provider, many at once',
    body: SettlementRequest,
    status: 201,
    response: Settlement,
    errors: { 400: INVALID_REQUEST, ...UNPROCESSABLE },
  },
  close_month: {
    summary: 'Close a month: its bills, costs and statements stay as they are',
    params: monthParams,
    status: 200,
    response: Close,
    errors: UNPROCESSABLE,
  },
  reopen_month: {
    summary: 'Reopen a closed month',
    params: monthParams,
    body: z.strictObject({ reason: line(MAX_NOTE_CHARACTERS) }),
    status: 200,
    response: Close,
    errors: { 400: INVALID_REQUEST, ...UNPROCESSABLE },
  },
});
