import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '../endpoint.ts';
import { MARGIN_GROUPS } from '../ledger.ts';
import { tagGroup } from './billing.ts';
import { queryDateTime, querySchema, timestamp, usd } from '../primitives.ts';

const marginGroup = () =>
  z.union([z.enum(MARGIN_GROUPS), tagGroup()], 'Choose model, provider, key, person, day or tag:<name>.');

const sums = {
  /** Completed jobs at providers, whatever their outcome. */
  count: z.int(),
  /** SETTLE less REFUND of these jobs. */
  charged_usd: usd(),
  /** The sum of the known costs. */
  cost_usd: usd(),
  /** `charged_usd` less `cost_usd`; negative: a loss. */
  margin_usd: usd(),
  /** How many costs are known, and how. */
  by_basis: z.strictObject({ reported: z.int(), computed: z.int(), list: z.int() }),
  /** Jobs that a provider may have charged for, without a known cost. */
  unknown_cost_count: z.int(),
};

/** Charges beside the costs of providers, for the jobs completed in `[from, to)`. Decision: Margin */
export const Margin = z.strictObject({
  object: z.literal('billing_margin'),
  currency: z.literal('usd'),
  from: timestamp(),
  to: timestamp(),
  group_by: marginGroup(),
  /** The lowest margin first; days in order. */
  data: z.array(
    z.strictObject({
      /** Model or task, provider, key, person, value of the tag, or day in UTC; `(none)` without a person or value. */
      id: z.string(),
      name: z.string(),
      ...sums,
    }),
  ),
  total: z.strictObject(sums),
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
