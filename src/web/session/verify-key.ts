import type { Me } from '#contract/resources/api-key.ts';
import { api } from '#web/api.ts';
import { ApiError, isMissingFeature } from '#web/api-errors.ts';

/** What the service says of a key. `unknown`: it could not be asked; `reason` is a sentence for the person. */
export type KeyVerdict =
  | { verdict: 'accepted'; me: Me | null }
  | { verdict: 'refused'; reason: string }
  | { verdict: 'unknown'; reason: string };

/**
 * Asks the service whether it takes a key, with GET /v1/me. A service without that endpoint (it is an addition) is asked
 * for the billing summary instead; `me` is then null. Never throws.
 */
export async function verifyKey(key: string): Promise<KeyVerdict> {
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return { verdict: 'refused', reason: 'A key has no spaces or accented letters. Copy it again, whole.' };
  }
  const signal = AbortSignal.timeout(15_000);
  try {
    return { verdict: 'accepted', me: await api.call('get_me', { key, signal }) };
  } catch (error) {
    if (!isMissingFeature(error)) return judge(error, key);
  }
  try {
    await api.call('get_billing_summary', { key, signal });
    return { verdict: 'accepted', me: null };
  } catch (error) {
    return judge(error, key);
  }
}

function judge(error: unknown, key: string): KeyVerdict {
  if (!(error instanceof ApiError)) {
    return { verdict: 'unknown', reason: 'The service can’t be reached. Check the connection and try again.' };
  }
  if (error.status === 401) {
    return {
      verdict: 'refused',
      reason: key.startsWith('mgs_pub_')
        ? 'This is a publishing key: it can only send files. Use an organization key or a member key.'
        : 'The service does not know this key. It may be incomplete, or it was revoked.',
    };
  }
  if (error.retry_after_seconds) {
    return { verdict: 'unknown', reason: `Too many attempts. Try again in ${error.retry_after_seconds} seconds.` };
  }
  return { verdict: 'unknown', reason: error.message };
}
