import * as z from 'zod/mini';
import { id, modelId, taskId, timestamp, usd } from '../primitives.ts';

export const LEDGER_TYPES = ['TOP_UP', 'RESERVE', 'RELEASE', 'SETTLE', 'ADJUSTMENT', 'REFUND', 'ADMIN_CREDIT'] as const;
export type LedgerType = (typeof LEDGER_TYPES)[number];

/** Decision: Ledger */
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
  created_by: z.nullable(z.strictObject({ id: id('key'), name: z.string() })),
  created_at: timestamp(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

const sums = { amount_usd: usd(), count: z.int() };

/** Decision: Ledger (Summary), Summary groups */
export const BillingSummary = z.strictObject({
  object: z.literal('billing_summary'),
  currency: z.literal('usd'),
  balance_usd: usd(),
  reserved_usd: usd(),
  available_usd: usd(),
  spent_this_month_usd: usd(),
  spent_total_usd: usd(),
  by_day: z.array(z.strictObject({ date: z.iso.date(), ...sums })),
  by_task: z.array(z.strictObject({ task: taskId(), ...sums })),
  by_model: z.array(z.strictObject({ model: z.nullable(modelId()), ...sums })),
  by_key: z.array(z.strictObject({ key_id: id('key'), name: z.string(), ...sums })),
});
export type BillingSummary = z.infer<typeof BillingSummary>;

/** Decision: Credentials */
export const CreditCreate = z.strictObject({
  amount_usd: z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,6})?$/, 'Give an amount in dollars such as 25 or -3.50.')),
  description: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
});
