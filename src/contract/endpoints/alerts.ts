import * as z from 'zod/mini';
import { ALERT_KINDS, ALERT_STATUSES } from '../alert-kinds.ts';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import { Alert } from '../resources/alert.ts';

/** Decision: Alerts */
export const alertEndpoints = {
  list_alerts: defineEndpoint({
    ...ENDPOINT_ROUTES.list_alerts,
    tag: 'Alerts',
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
    addition: true,
  }),
  acknowledge_alert: defineEndpoint({
    ...ENDPOINT_ROUTES.acknowledge_alert,
    tag: 'Alerts',
    summary: 'Acknowledge an alert; it leaves the list of open ones',
    params: z.object({ alert_id: pathId() }),
    status: 200,
    response: Alert,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
