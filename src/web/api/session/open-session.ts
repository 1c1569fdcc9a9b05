import { api, type CallArguments, type JsonEndpoint } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { signIn, signOutSettled } from './session.ts';
import { toSignInFailure, rejectedKeyMessage, type SignInFailure } from './sign-in-failure.ts';

export type SignInResult = { outcome: 'opened' } | SignInFailure;

const DEADLINE_MS = 15_000;

type OpeningEndpoint = Extract<
  JsonEndpoint,
  'create_session' | 'sign_in' | 'sign_in_with_passkey' | 'accept_invitation'
>;

/**
 * Calls an endpoint that opens a session, and signs in with its cookie.
 * @throws {ApiError} @throws {NetworkError}
 */
export async function openSession<N extends OpeningEndpoint>(name: N, options: CallArguments<N>[0]): Promise<void> {
  await signOutSettled();
  const call = api.call as (name: N, options: unknown) => Promise<unknown>;
  await call(name, { ...options, withCookie: true, deadlineMs: DEADLINE_MS });
  signIn();
}

/** Exchanges an API key for a session, so that no browser stores the key. */
export async function signInWithKey(key: string): Promise<SignInResult> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { outcome: 'refused', reason: 'A key has no spaces or accented letters. Copy the whole key again.' };
  }
  try {
    await openSession('create_session', { key });
    return { outcome: 'opened' };
  } catch (error) {
    return toSignInFailure(error, rejectedKeyMessage(key));
  }
}

export async function signInWithLink(token: string): Promise<SignInResult> {
  try {
    await openSession('sign_in', { body: { token } });
    return { outcome: 'opened' };
  } catch (error) {
    const isUnusable = error instanceof ApiError && (error.status === 422 || error.status === 404);
    if (isUnusable) return { outcome: 'refused', reason: 'This sign-in link is not valid for this service.' };
    return toSignInFailure(error, 'This sign-in link was already used or has expired.');
  }
}
