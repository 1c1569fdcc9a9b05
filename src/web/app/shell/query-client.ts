import { QueryClient } from '@tanstack/react-query';
import { api } from '#web/api/api.ts';
import { shouldRetry, retryDelayMs } from '#web/api/api-errors.ts';
import { getSession, onSessionChange } from '#web/api/session/session.ts';

const retryOptions = { retry: shouldRetry, retryDelay: retryDelayMs };

/** Creates the query client: responses stay fresh for some seconds, and errors that may pass are retried. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, gcTime: 10 * 60_000, ...retryOptions },
      mutations: retryOptions,
    },
  });
  let last = getSession()?.id;
  onSessionChange((state) => {
    if (state === 'expired') return;
    const id = getSession()?.id;
    if (id === last) return;
    last = id;
    // Another person must not see what this one has read.
    api.clearCache();
    for (const query of client.getQueryCache().getAll()) query.reset();
    // After the page knows the session, so that no query runs without the session it needs.
    setTimeout(() => void client.refetchQueries({ type: 'active' }));
  });
  return client;
}
