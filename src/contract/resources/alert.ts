import * as z from 'zod/mini';
import { ALERT_KINDS, ALERT_STATUSES } from '../alert-kinds.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { id, listSchema, pathId, queryCursor, queryInteger, querySchema, timestamp } from '../primitives.ts';
import { keyReference } from './ledger.ts';

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

/** Decision: Alerts */
export const alertEndpoints = defineEndpoints('Alerts', {
  list_alerts: {
    summary: 'List alerts, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      status: z.optional(z.enum(ALERT_STATUSES)),
      kind: z.optional(z.enum(ALERT_KINDS)),
    }),
    status: 200,
    response: listSchema(Alert),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  acknowledge_alert: {
    summary: 'Acknowledge an alert; it leaves the list of open ones',
    params: z.object({ alert_id: pathId() }),
    status: 200,
    response: Alert,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
