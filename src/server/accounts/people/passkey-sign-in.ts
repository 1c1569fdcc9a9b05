import { eq } from 'drizzle-orm';
import type { PasskeyRequestOptions, SignInCredential } from '#contract/resources/passkey.ts';
import { passkeys, people } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openSession } from '#server/accounts/keys/open-session.ts';
import type { NewSession, SessionOrigin } from '#server/accounts/keys/sessions.ts';
import { CHALLENGE_TTL_MS } from './passkeys.ts';
import type { RelyingParty } from './relying-party.ts';
import { storeChallenge, takeChallenge } from './sign-in-challenges.ts';

export async function startPasskeySignIn(deps: Deps, party: RelyingParty): Promise<PasskeyRequestOptions> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const { challenge } = await generateAuthenticationOptions({ rpID: party.id });
  const pending = { purpose: 'passkey.sign_in', value: challenge, person_id: null } as const;
  await storeChallenge(deps, challenge, pending, CHALLENGE_TTL_MS);
  return { challenge, rpId: party.id, timeout: CHALLENGE_TTL_MS, userVerification: 'required' };
}

/** @returns null if the credential is unknown or not valid for a challenge that was not used before */
export async function signInWithPasskey(
  deps: Deps,
  party: RelyingParty,
  credential: SignInCredential,
  origin: Omit<SessionOrigin, 'method'>,
): Promise<NewSession | null> {
  const [match] = await deps.db
    .select({ passkey: passkeys, key_id: people.key_id })
    .from(passkeys)
    .innerJoin(people, eq(people.id, passkeys.person_id))
    .where(eq(passkeys.id, credential.id));
  if (!match) return null;
  const { userHandle, ...response } = credential.response;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const info = await verifyAuthenticationResponse({
    response: {
      ...credential,
      response: { ...response, ...(userHandle == null ? {} : { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: async (challenge) => (await takeChallenge(deps, challenge, 'passkey.sign_in')) !== null,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: match.passkey.id,
      publicKey: new Uint8Array(Buffer.from(match.passkey.public_key, 'base64url')),
      counter: match.passkey.counter,
    },
  }).then(
    ({ verified, authenticationInfo }) => (verified ? authenticationInfo : null),
    () => null,
  );
  if (!info) return null;
  return deps.db.transaction(async (tx) => {
    const used = { counter: info.newCounter, backed_up: info.credentialBackedUp, last_used_at: deps.clock.now() };
    await tx.update(passkeys).set(used).where(eq(passkeys.id, match.passkey.id));
    return openSession({ tx, clock: deps.clock }, match.key_id, { method: 'passkey', ...origin });
  });
}
