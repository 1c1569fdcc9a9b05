import { NetworkError } from '#web/api-errors.ts';

interface Reading {
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
}

/** Why a query has nothing to show: refused, failed, or waiting for a network that is away. Null while it is being read. */
export function problemOf({ error, isPending, fetchStatus }: Reading): unknown {
  if (error) return error;
  return isPending && fetchStatus === 'paused' ? new NetworkError() : null;
}
