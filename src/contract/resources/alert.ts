import * as z from 'zod/mini';
import { ALERT_KINDS, ALERT_STATUSES } from '../alert-kinds.ts';
import { id, timestamp } from '../primitives.ts';
import { keyReference } from './billing.ts';

/** Something that needs attention, raised once for each cause and period. Decision: Alerts */
export const Alert = z.strictObject({
  id: id('alt'),
  object: z.literal('alert'),
  kind: z.enum(ALERT_KINDS),
  status: z.enum(ALERT_STATUSES),
  /** A sentence, as of when it was raised. */
  message: z.string(),
  /** The budget, provider connection or webhook endpoint; null: the organization. */
  subject: z.nullable(z.strictObject({ id: z.string(), name: z.string() })),
  /** What it is raised once for: a day such as `2026-11-23`, or the start and limit of a budget. */
  period: z.string(),
  raised_at: timestamp(),
  acknowledged_at: z.nullable(timestamp()),
  acknowledged_by: z.nullable(keyReference),
  /** When the cause was over; null: it lasts. */
  resolved_at: z.nullable(timestamp()),
});
export type Alert = z.infer<typeof Alert>;
