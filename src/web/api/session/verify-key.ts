import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { toSignInFailure, rejectedKeyMessage, type SignInFailure } from './sign-in-failure.ts';

const DEADLINE_MS = 15_000;

/**
 * Checks a credential with GET /v1/me. A service without that endpoint (it is an addition) is asked for the billing summary
 * instead.
 * @returns null where the service accepts it
 */
export async function verifyKey(key: string): Promise<SignInFailure | null> {
  const options = { key, deadline_ms: DEADLINE_MS };
  try {
    await api.call('get_me', options).catch(async (error: unknown) => {
      if (!isMissingFeature(error)) throw error;
      await api.call('get_billing_summary', options);
    });
    return null;
  } catch (error) {
    return toSignInFailure(error, rejectedKeyMessage(key));
  }
}
