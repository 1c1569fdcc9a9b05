import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { MARGIN_GROUPS } from '#contract/money/ledger.ts';
import { dimension } from './billing.ts';
import { queryDateTime, querySchema, spendingFilter, timestamp, usd } from '../primitives.ts';

const marginGroup = () => dimension(MARGIN_GROUPS);

const sums = {
  /** Jobs at providers that completed in the period, whatever their outcome. */
  count: z.int(),
  /** SETTLE less REFUND in the period, of work at providers; a refund counts when it was made. */
  charged_usd: usd(),
  /** The sum of the known costs of these jobs. */
  cost_usd: usd(),
  /** Part of the cost: what settling bills of providers has added. Decision: Closing */
  corrected_usd: usd(),
  /** Charges less refunds and cost, of work with a known cost only, as in a statement; negative: a loss. */
  margin_usd: usd(),
  /** How many costs are known, and how. */
  by_basis: z.strictObject({ reported: z.int(), computed: z.int(), list: z.int() }),
  /** Jobs that a provider may have charged for, without a known cost. */
  unknown_cost_count: z.int(),
};

/** Charges, refunds and costs of work at providers in `[from, to)`, booked as in statements. Decision: Margin */
export const Margin = z.strictObject({
  object: z.literal('billing_margin'),
  currency: z.literal('usd'),
  from: timestamp(),
  to: timestamp(),
  group_by: marginGroup(),
  /** The lowest margin first; days in order. */
  data: z.array(
    z.strictObject({
      /** Model (of `model`, the task where there is none), task, provider, key, person, value of the tag, month, Monday or day in UTC; `(none)` without a person or value. */
      id: z.string(),
      name: z.string(),
      ...sums,
    }),
  ),
  total: z.strictObject(sums),
  /** Costs that were booked outside of orders. They are not in the sums. */
  outside_orders_usd: usd(),
  /** Calls of text models in this time, which nobody is charged for. They are not in the sums. */
  prompt_improvements: z.strictObject({ count: z.int(), cost_usd: usd() }),
});
export type Margin = z.infer<typeof Margin>;
export type MarginRow = Margin['data'][number];
export type MarginSums = Margin['total'];

const marginQuery = () =>
  querySchema({
    from: queryDateTime(),
    to: queryDateTime(),
    group_by: z._default(marginGroup(), 'model'),
    ...spendingFilter(),
  });

export const marginEndpoints = defineEndpoints('Billing', {
  get_margin: {
    summary: 'Compare charges with the costs of providers, this month by default',
    query: marginQuery(),
    status: 200,
    response: Margin,
    errors: { 422: INVALID_REQUEST },
  },
  export_margin: {
    summary: 'Export charges and costs of providers as CSV',
    query: marginQuery(),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
  },
});
