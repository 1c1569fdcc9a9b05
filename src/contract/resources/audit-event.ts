import * as z from 'zod/mini';
import { AUDIT_ACTIONS, AUDIT_ACTOR_TYPES } from '../audit-actions.ts';
import { id, jsonObject, timestamp } from '../primitives.ts';

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
