import type { Db } from '#server/platform/db/db.ts';
import { and, desc, eq } from 'drizzle-orm';
import {
  type Passkey,
  type PasskeyCreationOptions,
  type RegisteredCredential,
  TRANSPORTS,
} from '#contract/resources/passkey.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { passkeys, people } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { warnPerson } from './own-email.ts';
import type { RelyingParty } from './relying-party.ts';
import { storeChallenge, takeChallenge } from './sign-in-challenges.ts';

type PasskeyRow = typeof passkeys.$inferSelect;
type CallerPerson = NonNullable<Caller['person']>;

const MAX_PASSKEYS = 20;
/** Of COSE: EdDSA, ES256 and RS256, which together every authenticator has. */
const ALGORITHMS = [-8, -7, -257];
export const CHALLENGE_TTL_MS = 300_000;

const presentPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  object: 'passkey',
  name: row.name,
  is_backed_up: row.backed_up,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

const findPasskeys = (db: Deps['db'], personId: string): Promise<PasskeyRow[]> =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.person_id, personId))
    .orderBy(desc(passkeys.created_at), desc(passkeys.id))
    .limit(MAX_PASSKEYS);

export const listPasskeys = async (db: Db, personId: string): Promise<Passkey[]> =>
  (await findPasskeys(db, personId)).map(presentPasskey);

/** @throws {ApiError} 400 `invalid_request` for too many passkeys */
export async function startRegistration(
  deps: Deps,
  party: RelyingParty,
  person: CallerPerson,
): Promise<PasskeyCreationOptions> {
  const existing = await findPasskeys(deps.db, person.id);
  if (existing.length >= MAX_PASSKEYS) {
    throw new ApiError('invalid_request', `You have ${MAX_PASSKEYS} passkeys. Delete one first.`);
  }
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const { challenge, user, pubKeyCredParams } = await generateRegistrationOptions({
    rpName: 'Emulsion',
    rpID: party.id,
    userID: new TextEncoder().encode(person.id),
    userName: person.email ?? person.name,
    userDisplayName: person.name,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  const pending = { purpose: 'passkey.register', value: challenge, person_id: person.id } as const;
  await storeChallenge(deps, challenge, pending, CHALLENGE_TTL_MS);
  return {
    challenge,
    rp: { id: party.id, name: 'Emulsion' },
    user,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' })),
    timeout: CHALLENGE_TTL_MS,
    attestation: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({
      id,
      type: 'public-key',
      transports: TRANSPORTS.filter((transport) => transports.includes(transport)),
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  };
}

/** @throws {ApiError} 400 `invalid_request` if the credential is not valid for a challenge of this person */
export async function createPasskey(
  deps: Deps,
  party: RelyingParty,
  caller: Caller & { person: CallerPerson },
  { name, credential }: { name: string; credential: RegisteredCredential },
): Promise<Passkey> {
  const { person } = caller;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const info = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: async (challenge) =>
      (await takeChallenge(deps, challenge, 'passkey.register'))?.person_id === person.id,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    supportedAlgorithmIDs: ALGORITHMS,
  }).then(
    ({ registrationInfo }) => registrationInfo,
    () => undefined,
  );
  if (!info) throw new ApiError('invalid_request', 'This passkey could not be added. Start again.');
  const { id, publicKey, counter } = info.credential;
  const createdAt = deps.clock.now();
  const transports = TRANSPORTS.filter((transport) => credential.response.transports?.includes(transport));
  return deps.db.transaction(async (tx) => {
    // Serializes additions, which are limited in number.
    await tx.select().from(people).where(eq(people.id, person.id)).for('no key update');
    if ((await tx.$count(passkeys, eq(passkeys.person_id, person.id))) >= MAX_PASSKEYS) {
      throw new ApiError('invalid_request', `You have ${MAX_PASSKEYS} passkeys. Delete one first.`);
    }
    const [row] = await tx
      .insert(passkeys)
      .values({
        id,
        person_id: person.id,
        name,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: [...transports],
        backed_up: info.credentialBackedUp,
        created_at: createdAt,
      })
      .onConflictDoNothing()
      .returning();
    if (!row) throw new ApiError('invalid_request', 'This passkey was added already.');
    const warning = `The passkey “${name}” was added to your account and can sign in.`;
    await warnPerson(deps, tx, { ...caller, ...person }, 'A passkey was added', warning);
    await recordAuditEvent(tx, caller, { action: 'passkey.added', target: passkeyTarget(row) }, createdAt);
    return presentPasskey(row);
  });
}

const passkeyTarget = ({ id, name }: PasskeyRow) => ({ type: 'passkey', id, name });

/** @throws {ApiError} 404 */
export async function renamePasskey(
  { db, clock }: Deps,
  caller: Caller & { person: CallerPerson },
  id: string,
  name: string,
): Promise<Passkey> {
  return db.transaction(async (tx) => {
    const isOwn = and(eq(passkeys.id, id), eq(passkeys.person_id, caller.person.id));
    const [before] = await tx.select().from(passkeys).where(isOwn).for('update');
    if (!before) throw new ApiError('not_found', 'Passkey not found.');
    if (before.name === name) return presentPasskey(before);
    const [row = before] = await tx.update(passkeys).set({ name }).where(isOwn).returning();
    const change = { target: passkeyTarget(row), before: { name: before.name }, after: { name } };
    await recordAuditEvent(tx, caller, { action: 'passkey.changed', ...change }, clock.now());
    return presentPasskey(row);
  });
}

/** @returns whether the person has such a passkey */
export async function deletePasskey(
  deps: Deps,
  caller: Caller & { person: CallerPerson },
  id: string,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const isOwn = and(eq(passkeys.id, id), eq(passkeys.person_id, caller.person.id));
    const [row] = await tx.delete(passkeys).where(isOwn).returning();
    if (!row) return false;
    const warning = `The passkey “${row.name}” was removed from your account and can no longer sign in.`;
    await warnPerson(deps, tx, { ...caller, ...caller.person }, 'A passkey was removed', warning);
    await recordAuditEvent(tx, caller, { action: 'passkey.removed', target: passkeyTarget(row) }, deps.clock.now());
    return true;
  });
}
