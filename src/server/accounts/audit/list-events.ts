import type { Db } from '#server/platform/db/db.ts';
import { type SQL, and, desc, eq, gte, inArray, lt } from 'drizzle-orm';
import { AUDIT_ACTIONS } from '#contract/audit-actions.ts';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { auditEvents } from '#server/platform/db/schema/audit-schema.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { Deps } from '#server/platform/deps.ts';

export type AuditFilter = QueryOf<'export_audit_events'>;

export const auditFilterCondition = (
  organizationId: string,
  { action, actor_id, target_id, from, to }: AuditFilter,
): SQL | undefined =>
  and(
    eq(auditEvents.organization_id, organizationId),
    action && inArray(auditEvents.action, matchingActions(action)),
    actor_id === undefined ? undefined : eq(auditEvents.actor_id, actor_id),
    target_id === undefined ? undefined : eq(auditEvents.target_id, target_id),
    from === undefined ? undefined : gte(auditEvents.created_at, parseQueryTime(from)),
    to === undefined ? undefined : lt(auditEvents.created_at, parseQueryTime(to)),
  );

const matchingActions = (filter: string) =>
  AUDIT_ACTIONS.filter((action) => action === filter || action.startsWith(`${filter}.`));

/**
 * Reads a page of the audit log, newest first.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export async function listAuditEvents(
  { db, secrets }: Deps,
  organizationId: string,
  { limit, cursor, ...filter }: QueryOf<'list_audit_events'>,
): Promise<List<AuditEvent>> {
  const scope = { organization_id: organizationId, list: 'audit_events' } as const;
  const position = parsePageCursor(secrets, scope, cursor);
  const isOlder = position === undefined ? undefined : lt(auditEvents.seq, BigInt(position));
  const rows = await db
    .select()
    .from(auditEvents)
    .where(and(auditFilterCondition(organizationId, filter), isOlder))
    .orderBy(desc(auditEvents.seq))
    .limit(limit + 1);
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ seq }) => seq.toString(),
    present: (page) => page.map(presentAuditEvent),
  });
}

/** Reads the newest event of each target that has one, for a group of actions such as `key`. */
export async function listLatestChanges(
  db: Db,
  organizationId: string,
  { action, target_ids }: QueryOf<'list_latest_changes'>,
): Promise<List<AuditEvent>> {
  const rows = await db
    .selectDistinctOn([auditEvents.target_id])
    .from(auditEvents)
    .where(and(auditFilterCondition(organizationId, { action }), inArray(auditEvents.target_id, target_ids.split(','))))
    .orderBy(auditEvents.target_id, desc(auditEvents.seq));
  return { object: 'list', data: rows.map(presentAuditEvent), has_more: false, next_cursor: null };
}

const presentAuditEvent = ({
  actor_type,
  actor_id,
  actor_name,
  target_type,
  target_id,
  target_name,
  ...event
}: typeof auditEvents.$inferSelect): AuditEvent => ({
  id: event.id,
  object: 'audit_event',
  seq: Number(event.seq),
  created_at: event.created_at.toISOString(),
  action: event.action,
  actor: { type: actor_type, id: actor_id, name: actor_name },
  address: event.address,
  target: { type: target_type, id: target_id, name: target_name },
  before: event.before,
  after: event.after,
  hash: event.hash,
});
