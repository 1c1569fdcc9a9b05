import { ApiError, NetworkError } from '../api-errors.ts';

/** `unknown`: the service could not decide. The reason is a sentence for the person. */
export interface SignInFailure {
  outcome: 'refused' | 'unknown';
  reason: string;
}

export const rejectedKeyMessage = (key: string): string =>
  key.startsWith('mgs_pub_')
    ? 'This is a publishing key: it can only upload files. Use an organization key or a standard key.'
    : 'The service does not know this key. It may be incomplete, or it was revoked.';

/**
 * Converts the error of a call into what it says about the credential.
 * @param refusal the sentence for an invalid credential
 * @throws the error itself where it is not an error of a call
 */
export function toSignInFailure(error: unknown, refusal: string): SignInFailure {
  if (error instanceof ApiError && error.status === 401) return { outcome: 'refused', reason: refusal };
  if (error instanceof ApiError && error.retry_after_seconds) {
    return { outcome: 'unknown', reason: `Too many attempts. Try again in ${error.retry_after_seconds} seconds.` };
  }
  if (error instanceof ApiError || error instanceof NetworkError) return { outcome: 'unknown', reason: error.message };
  throw error;
}
