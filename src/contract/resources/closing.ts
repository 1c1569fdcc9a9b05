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
  timestamp,
  usd,
} from '../primitives.ts';
import {
  ClosingFinding,
  ClosingFindingDetails,
  FINDING_KINDS,
  findingId,
  KindSums,
  SETTLE_ACTIONS,
} from './closing-finding.ts';
import { billProvider, billProviderId } from './provider-bill.ts';

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
  get_closing_finding: {
    summary: 'Get a finding with all of its settlements',
    params: z.object({ finding_id: pathId() }),
    status: 200,
    response: ClosingFindingDetails,
    errors: { 404: ['not_found'], ...UNPROCESSABLE },
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
