import * as z from 'zod/mini';
import { keyReference } from './billing.ts';
import { id, month, timestamp, usd } from '../primitives.ts';

const BUDGET_STATES = ['ok', 'warning', 'exhausted'] as const;

/** Monthly limit (UTC) of the organization or of one key. Spending and reservations both count. */
export const Budget = z.strictObject({
  /** `organization`, or the id of a key. */
  id: z.string(),
  object: z.literal('budget'),
  key: z.nullable(keyReference),
  limit_usd: usd(),
  /** `state` is `warning` from this share of the limit on. */
  warn_at_percent: z.int(),
  contact: z.nullable(z.string()),
  month: month(),
  /** SETTLE less REFUND in this month. */
  spent_usd: usd(),
  reserved_usd: usd(),
  /** Never negative. */
  left_usd: usd(),
  state: z.enum(BUDGET_STATES),
  updated_at: timestamp(),
});
export type Budget = z.infer<typeof Budget>;

/** `key_id`: null for the whole organization. */
export const BudgetUpdate = z.strictObject({
  key_id: z.nullable(id('key')),
  limit_usd: z.string().check(z.regex(/^\d{1,9}(\.\d{1,6})?$/, 'Enter a limit in dollars such as 50.')),
  warn_at_percent: z._default(z.int().check(z.gte(1), z.lte(100)), 80),
  contact: z.optional(z.nullable(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))),
});
export type BudgetUpdate = z.infer<typeof BudgetUpdate>;
