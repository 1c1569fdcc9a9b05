import { eq } from 'drizzle-orm';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Clock } from '#server/platform/core/clock.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { createSession, type NewSession, type SessionOrigin } from './sessions.ts';

/** Creates a session and records the sign-in. Call it last. @returns null if the key is unknown, revoked or expired */
export async function openSession(
  { tx, clock }: { tx: Tx; clock: Clock },
  key_id: string,
  origin: SessionOrigin,
): Promise<NewSession | null> {
  const session = await createSession({ db: tx, clock }, key_id, origin);
  if (!session) return null;
  const actor = await findKeyActor(tx, key_id, origin.address ?? '');
  const target = actor.person
    ? { type: 'person', id: actor.person.id, name: actor.person.name }
    : { type: 'key', id: key_id, name: actor.key_name };
  const after = { method: origin.method };
  await recordAuditEvent(tx, actor, { action: 'sign_in.succeeded', target, after }, clock.now());
  return session;
}

type KeyActor = Extract<AuditActor, { key_id: string }>;

async function findKeyActor(tx: Tx, key_id: string, address: string): Promise<KeyActor> {
  const [row] = await tx
    .select({ key: apiKeys, person: people })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(eq(apiKeys.id, key_id));
  if (!row) throw new Error(`There is no key ${key_id}.`);
  const { key, person } = row;
  return { organization_id: key.organization_id, key_id, key_name: key.name, person, address };
}
