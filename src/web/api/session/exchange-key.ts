import { api } from '../api.ts';
import { ApiError, isMissingFeature } from '../api-errors.ts';
import { toSignInFailure, rejectedKeyMessage, type SignInFailure } from './sign-in-failure.ts';
import { verifyKey } from './verify-key.ts';

export type SignInResult = { outcome: 'opened'; secret: string; storable: boolean } | SignInFailure;

const DEADLINE_MS = 15_000;

/**
 * Exchanges an API key for a session, so that no browser stores the key. Where the service has no sessions (they are an
 * addition), the key itself is the credential, and is never stored.
 */
export async function exchangeKey(key: string): Promise<SignInResult> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { outcome: 'refused', reason: 'A key has no spaces or accented letters. Copy the whole key again.' };
  }
  try {
    const { secret } = await api.call('create_session', { key, deadline_ms: DEADLINE_MS });
    return { outcome: 'opened', secret: requireSecret(secret), storable: true };
  } catch (error) {
    if (!isMissingFeature(error)) return toSignInFailure(error, rejectedKeyMessage(key));
  }
  return (await verifyKey(key)) ?? { outcome: 'opened', secret: key, storable: false };
}

export async function exchangeToken(token: string): Promise<SignInResult> {
  try {
    const { secret } = await api.call('sign_in', { body: { token }, deadline_ms: DEADLINE_MS });
    return { outcome: 'opened', secret: requireSecret(secret), storable: true };
  } catch (error) {
    const is_unusable = error instanceof ApiError && (error.status === 422 || error.status === 404);
    if (is_unusable) return { outcome: 'refused', reason: 'This sign-in link is not valid for this service.' };
    return toSignInFailure(error, 'This sign-in link was already used or has expired.');
  }
}

function requireSecret(secret: string | null): string {
  if (secret === null) throw new Error('The service kept the secret of the session in a cookie.');
  return secret;
}
