import * as z from 'zod/mini';
import { AUDIT_ACTIONS, AUDIT_GROUPS } from '../audit-actions.ts';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryDateTime, queryInteger, querySchema } from '../primitives.ts';
import { AuditEvent } from '../resources/audit-event.ts';

const auditFilter = () => ({
  /** An action such as `key.created`, or the group before its dot. */
  action: z.optional(z.enum([...AUDIT_ACTIONS, ...AUDIT_GROUPS])),
  actor_id: z.optional(pathId()),
  target_id: z.optional(pathId()),
  from: queryDateTime(),
  /** Exclusive. */
  to: queryDateTime(),
});

export const auditEventEndpoints = {
  list_audit_events: defineEndpoint({
    ...ENDPOINT_ROUTES.list_audit_events,
    tag: 'Audit log',
    summary: 'List who changed what, newest first',
    query: querySchema({ limit: queryInteger(50, 1, 100), cursor: queryCursor(), ...auditFilter() }),
    status: 200,
    response: listSchema(AuditEvent),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  list_latest_changes: defineEndpoint({
    ...ENDPOINT_ROUTES.list_latest_changes,
    tag: 'Audit log',
    summary: 'Read the newest change of each of some objects, such as keys',
    query: querySchema({
      action: z.enum(AUDIT_GROUPS),
      /** At most 100 ids, separated by commas. */
      target_ids: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}(?:,[A-Za-z0-9_-]{1,64}){0,99}$/)),
    }),
    status: 200,
    response: listSchema(AuditEvent),
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
  export_audit_events: defineEndpoint({
    ...ENDPOINT_ROUTES.export_audit_events,
    tag: 'Audit log',
    summary: 'Export events of the audit log as CSV, oldest first',
    query: querySchema(auditFilter()),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
