import { ApiError } from '../api-errors.ts';

/** Whether what an address names does not exist, or can't: a well-formed id that nobody has, or no id at all. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);
