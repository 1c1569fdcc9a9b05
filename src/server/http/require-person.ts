import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';

type PersonCaller = Caller & { person: NonNullable<Caller['person']> };

/** Decision: Sign-in */
const RECENT_SIGN_IN_MS = 600_000;

/** @throws {ApiError} 400 for a program */
export function requirePerson(caller: Caller): PersonCaller {
  const { person } = caller;
  if (person) return { ...caller, person };
  throw new ApiError('invalid_request', 'This is only for people. The request came with a key of a program.');
}

/** Returns until when a caller may change passkeys and the mail address; null: not with this credential. */
export const recentSignInUntil = ({ signedInAt }: Caller): Date | null =>
  signedInAt ? new Date(signedInAt.getTime() + RECENT_SIGN_IN_MS) : null;

/**
 * @param graceMs how much longer to accept the sign-in, to finish what began in time
 * @throws {ApiError} 401 unless the person signed in within the last ten minutes
 */
export function requireRecentSignIn(caller: Caller, now: Date, graceMs = 0): PersonCaller {
  const until = recentSignInUntil(caller);
  if (until !== null && now.getTime() < until.getTime() + graceMs) return requirePerson(caller);
  throw new ApiError('authentication_error', 'Sign in again to change how you sign in.');
}
