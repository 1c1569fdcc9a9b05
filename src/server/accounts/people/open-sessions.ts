import { and, desc, eq, gt, inArray, ne } from 'drizzle-orm';
import type { OpenSession } from '#contract/resources/session.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError, assertFound } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { sessions } from '#server/platform/db/schema/session-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

const MAX_SESSIONS = 100;

/** Sessions of all keys of a person, or those of the caller's key. */
const isOfOwner = (caller: Caller, person_id: string | null) =>
  person_id === null ? eq(apiKeys.id, caller.key_id) : eq(apiKeys.person_id, person_id);

/** The person whose sessions all belong to the caller; null: a key, or a session made from one, which has only its own. */
const managedPersonId = ({ permissions, person }: Caller): string | null =>
  person !== null && permissions.has('account.manage') ? person.id : null;

/** @throws {ApiError} 401 for keys of a person, also in a session: those sign out, and end nothing else */
function assertMayEndSessions({ permissions, person, scopes }: Caller): void {
  if (permissions.has('account.manage') || (person === null && !scopes?.read_only)) return;
  const message = 'A key ends no other sessions. Sign in to the dashboard as yourself to end them.';
  throw new ApiError('authentication_error', message);
}

/** @throws {ApiError} 404 unless the caller may see the sessions of this person */
async function resolvePersonId({ db }: Deps, caller: Caller, personId: string | undefined): Promise<string | null> {
  const ownId = managedPersonId(caller);
  if (personId === undefined || personId === ownId) return ownId;
  const isMember = and(eq(people.organization_id, caller.organization_id), eq(people.id, personId));
  assertFound(caller.permissions.has('people.manage') && (await db.$count(people, isMember)), 'Person');
  return personId;
}

/** Returns the sessions of a person; by default, those of the caller. @throws {ApiError} 404 for an unknown person */
export async function listSessions(deps: Deps, caller: Caller, personId?: string): Promise<OpenSession[]> {
  const { db, clock } = deps;
  const rows = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(apiKeys, eq(apiKeys.id, sessions.key_id))
    .where(and(isOfOwner(caller, await resolvePersonId(deps, caller, personId)), gt(sessions.expires_at, clock.now())))
    .orderBy(desc(sessions.last_used_at), desc(sessions.id))
    .limit(MAX_SESSIONS);
  return rows.map(({ session }) => ({
    id: session.id,
    object: 'open_session',
    method: session.method,
    address: session.address,
    user_agent: session.user_agent,
    is_current: session.id === caller.session_id,
    created_at: session.created_at.toISOString(),
    last_used_at: session.last_used_at.toISOString(),
    expires_at: session.expires_at.toISOString(),
  }));
}

/** Ends a session of the caller or, with the permission `people.manage`, of the organization. @returns whether it was found */
export async function endSession({ db, clock }: Deps, caller: Caller, sessionId: string): Promise<boolean> {
  const isManager = caller.permissions.has('people.manage');
  if (!isManager) assertMayEndSessions(caller);
  const isAllowed = isManager
    ? eq(apiKeys.organization_id, caller.organization_id)
    : isOfOwner(caller, managedPersonId(caller));
  return db.transaction(async (tx) => {
    const allowedKeys = tx.select({ id: apiKeys.id }).from(apiKeys).where(isAllowed);
    const [ended] = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), inArray(sessions.key_id, allowedKeys)))
      .returning({ id: sessions.id, key_id: sessions.key_id });
    if (!ended) return false;
    const [key] = await tx.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, ended.key_id));
    const target = { type: 'session', id: ended.id, name: key?.name ?? null };
    await recordAuditEvent(tx, caller, { action: 'session.ended', target }, clock.now());
    return true;
  });
}

/** Ends all sessions of the caller but the one of the request. */
export async function endOtherSessions({ db, clock }: Deps, caller: Caller): Promise<void> {
  assertMayEndSessions(caller);
  await db.transaction(async (tx) => {
    const ownKeys = tx
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(isOfOwner(caller, managedPersonId(caller)));
    const isOther = caller.session_id === undefined ? undefined : ne(sessions.id, caller.session_id);
    const ended = await tx
      .delete(sessions)
      .where(and(inArray(sessions.key_id, ownKeys), isOther))
      .returning({ id: sessions.id });
    if (ended.length === 0) return;
    const target = { type: 'session', name: caller.person?.name ?? caller.key_name };
    const change = { action: 'session.ended', target, after: { count: ended.length } } as const;
    await recordAuditEvent(tx, caller, change, clock.now());
  });
}
