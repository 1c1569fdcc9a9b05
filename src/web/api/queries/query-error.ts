import { NetworkError } from '../api-errors.ts';

interface QueryStatus {
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
}

/** Why a query has no data: an error, or a pause while offline. Null while it is loading. */
export function queryError({ error, isPending, fetchStatus }: QueryStatus): unknown {
  if (error) return error;
  return isPending && fetchStatus === 'paused' ? new NetworkError() : null;
}
