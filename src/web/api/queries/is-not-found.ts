import { ApiError } from '../api-errors.ts';

/** Whether the resource of an address does not exist: its id is unknown, or not an id. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);
