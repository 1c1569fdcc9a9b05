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
  keyId: string,
  origin: SessionOrigin,
): Promise<NewSession | null> {
  const session = await createSession({ db: tx, clock }, keyId, origin);
  if (!session) return null;
  const actor = await findKeyActor(tx, keyId, origin.address ?? '');
  const target = actor.person
    ? { type: 'person', id: actor.person.id, name: actor.person.name }
    : { type: 'key', id: keyId, name: actor.key_name };
  const after = { method: origin.method };
  await recordAuditEvent(tx, actor, { action: 'sign_in.succeeded', target, after }, clock.now());
  return session;
}

type KeyActor = Extract<AuditActor, { key_id: string }>;

async function findKeyActor(tx: Tx, keyId: string, address: string): Promise<KeyActor> {
  const [row] = await tx
    .select({ key: apiKeys, person: people })
    .from(apiKeys)
    .leftJoin(people, eq(people.id, apiKeys.person_id))
    .where(eq(apiKeys.id, keyId));
  if (!row) throw new Error(`There is no key ${keyId}.`);
  const { key, person } = row;
  return { organization_id: key.organization_id, key_id: keyId, key_name: key.name, person, address };
}
