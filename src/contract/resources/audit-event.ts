import * as z from 'zod/mini';
import { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES, AUDIT_GROUPS } from '../audit-actions.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import {
  id,
  jsonObject,
  listSchema,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  timestamp,
} from '../primitives.ts';

/** One change, in the order of `seq`. Decision: Audit log */
export const AuditEvent = z.strictObject({
  id: id('aud'),
  object: z.literal('audit_event'),
  seq: z.int(),
  created_at: timestamp(),
  action: z.enum(AUDIT_ACTIONS),
  /** `id` names a person or key; null for the shell, the service and unknown people. */
  actor: z.strictObject({ type: z.enum(AUDIT_ACTOR_TYPES), id: z.nullable(z.string()), name: z.string() }),
  /** Network address; null: not from the network. */
  address: z.nullable(z.string()),
  target: z.strictObject({ type: z.string(), id: z.nullable(z.string()), name: z.nullable(z.string()) }),
  /** Only what differs. */
  before: z.nullable(jsonObject()),
  after: z.nullable(jsonObject()),
  hash: z.string(),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

const auditFilter = () => ({
  /** An action such as `key.created`, or the group before its dot. */
  action: z.optional(z.enum([...AUDIT_ACTIONS, ...AUDIT_GROUPS])),
  actor_id: z.optional(pathId()),
  target_id: z.optional(pathId()),
  from: queryDateTime(),
  /** Exclusive. */
  to: queryDateTime(),
});

export const auditEventEndpoints = defineEndpoints('Audit log', {
  list_audit_events: {
    summary: 'List who changed what, newest first',
    query: querySchema({ limit: queryInteger(50, 1, 100), cursor: queryCursor(), ...auditFilter() }),
    status: 200,
    response: listSchema(AuditEvent),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  list_latest_changes: {
    summary: 'Read the newest change of each of some objects, such as keys',
    query: querySchema({
      action: z.enum(AUDIT_GROUPS),
      /** At most 100 ids, separated by commas. */
      target_ids: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}(?:,[A-Za-z0-9_-]{1,64}){0,99}$/)),
    }),
    status: 200,
    response: listSchema(AuditEvent),
    errors: { 422: INVALID_REQUEST },
  },
  export_audit_events: {
    summary: 'Export events of the audit log as CSV, oldest first',
    query: querySchema(auditFilter()),
    status: 200,
    response: 'csv',
    errors: { 422: INVALID_REQUEST },
  },
});
