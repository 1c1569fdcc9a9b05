import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { toSignInFailure, rejectedKeyMessage, type SignInFailure } from './sign-in-failure.ts';

const DEADLINE_MS = 15_000;

/**
 * Verifies a key, or the session without one, with GET /v1/me, or with the billing summary where the service lacks that
 * endpoint, which is an addition.
 * @returns null where the service accepts it
 */
export async function verifyCredential(key?: string): Promise<SignInFailure | null> {
  const options = { ...(key === undefined ? {} : { key }), deadline_ms: DEADLINE_MS };
  try {
    await api.call('get_me', options).catch(async (error: unknown) => {
      if (!isMissingFeature(error)) throw error;
      await api.call('get_billing_summary', options);
    });
    return null;
  } catch (error) {
    return toSignInFailure(error, rejectedKeyMessage(key ?? ''));
  }
}
