import { NetworkError } from '../api-errors.ts';

interface QueryStatus {
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
}

/** Why a query has nothing to show: refused, failed, or waiting for a network that is away. Null while it is being read. */
export function queryError({ error, isPending, fetchStatus }: QueryStatus): unknown {
  if (error) return error;
  return isPending && fetchStatus === 'paused' ? new NetworkError() : null;
}
