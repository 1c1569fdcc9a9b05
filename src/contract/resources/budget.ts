import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { BUDGET_INTERVALS, isBudgetScope } from '#contract/money/budget-scope.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { id, listSchema, month, pathId, timestamp, usd } from '../primitives.ts';
import { keyReference } from './ledger.ts';

const BUDGET_STATES = ['ok', 'warning', 'exhausted'] as const;

export const dollarsSchema = (message: string) => z.string().check(z.regex(/^\d{1,9}(\.\d{1,6})?$/, message));

/**
 * Limit per day, week or month (UTC) of the work in its scope. Spending and reservations both count. Decision: Budgets
 */
export const Budget = z.strictObject({
  /** `organization` or the id of a key for their monthly budgets, otherwise `bud_…`. */
  id: z.string(),
  object: z.literal('budget'),
  key: z.nullable(keyReference),
  /** `organization`, `person:per_…`, `key:key_…`, `model:…` or `tag:name=value`. */
  scope: z.string(),
  /** Name of the person or key; null for other scopes. */
  scope_name: z.nullable(z.string()),
  /** The person was removed, or the key revoked. */
  is_scope_removed: z.boolean(),
  interval: z.enum(BUDGET_INTERVALS),
  limit_usd: usd(),
  /** Granted in addition to the limit, for the current interval only. */
  extra_usd: usd(),
  /** `state` is `warning` from this share of the limit on. */
  warn_at_percent: z.int(),
  contact: z.nullable(z.string()),
  month: month(),
  /** First day of the current interval. */
  interval_start: z.iso.date(),
  /** When the next interval begins. */
  resets_at: timestamp(),
  /** SETTLE less REFUND in this interval; null like `reserved_usd` where it would show what others spent. */
  spent_usd: z.nullable(usd()),
  reserved_usd: z.nullable(usd()),
  /** Never negative. */
  left_usd: usd(),
  state: z.enum(BUDGET_STATES),
  updated_at: timestamp(),
  /** null: on the command line, or unknown. */
  updated_by: z.nullable(keyReference),
});
export type Budget = z.infer<typeof Budget>;

/** Either `scope`, or `key_id` with null for the whole organization. */
export const BudgetUpdate = z
  .strictObject({
    scope: z.optional(z.string().check(z.refine(isBudgetScope, 'Choose what the budget limits.'))),
    key_id: z.optional(z.nullable(id('key'))),
    interval: z._default(z.enum(BUDGET_INTERVALS), 'month'),
    limit_usd: dollarsSchema('Enter a limit in dollars such as 50.'),
    warn_at_percent: z._default(z.int().check(z.gte(1), z.lte(100)), 80),
    contact: z.optional(z.nullable(line(200))),
  })
  .check(
    z.refine(({ scope, key_id }) => (scope === undefined) !== (key_id === undefined), {
      path: ['scope'],
      message: 'Name either scope or key_id.',
    }),
  );
export type BudgetUpdate = z.infer<typeof BudgetUpdate>;

export const budgetEndpoints = defineEndpoints('Billing', {
  list_budgets: {
    summary: 'List budgets, the organization’s first',
    status: 200,
    response: listSchema(Budget),
    errors: {},
  },
  set_budget: {
    summary: 'Set the budget of the organization, a person, a key, a model or a tag value',
    body: BudgetUpdate,
    status: 200,
    response: Budget,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  delete_budget: {
    summary: 'Delete a budget',
    params: z.object({ budget_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
