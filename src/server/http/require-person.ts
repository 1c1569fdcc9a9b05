import { ApiError } from '#server/core/api-error.ts';
import type { Caller } from '#server/core/caller.ts';

type PersonCaller = Caller & { person: NonNullable<Caller['person']> };

/** @throws {ApiError} 400 for a program */
export function requirePerson(caller: Caller): PersonCaller {
  const { person } = caller;
  if (person) return { ...caller, person };
  throw new ApiError('invalid_request', 'This is only for people. The request came with a key of a program.');
}
