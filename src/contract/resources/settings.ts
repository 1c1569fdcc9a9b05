import * as z from 'zod/mini';
import { usd } from '../primitives.ts';
import { dollarsSchema } from './budget.ts';

/** Settings of the organization. Decision: Settings */
export const Settings = z.strictObject({
  object: z.literal('settings'),
  /** Decision: Own work */
  members_see_own_work_only: z.boolean(),
  /** Orders of members above this wait for an approval; null: none do. Decision: Approvals */
  approval_above_usd: z.nullable(usd()),
});
export type Settings = z.infer<typeof Settings>;

/** A setting that is left out stays as it is. */
export const SettingsUpdate = z.strictObject({
  members_see_own_work_only: z.optional(z.boolean()),
  approval_above_usd: z.optional(z.nullable(dollarsSchema('Enter an amount in dollars such as 5.'))),
});
export type SettingsUpdate = z.infer<typeof SettingsUpdate>;
