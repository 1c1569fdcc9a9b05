import { QueryClient } from '@tanstack/react-query';
import { api } from '#web/api/api.ts';
import { shouldRetry, retryDelay_ms } from '#web/api/queries/retry-policy.ts';
import { getKey, onSessionChange } from '#web/api/session/session.ts';

const retryOptions = { retry: shouldRetry, retryDelay: retryDelay_ms };

/** How the dashboard reads: answers count as fresh for some seconds; only what may pass by itself is asked again. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 10_000, gcTime: 10 * 60_000, ...retryOptions },
      mutations: retryOptions,
    },
  });
  let last = getKey();
  onSessionChange((state) => {
    if (state === 'expired') return;
    const key = getKey();
    if (key === last) return;
    last = key;
    // What one key has read is not for the next.
    api.clearCache();
    for (const query of client.getQueryCache().getAll()) query.reset();
    // Once the page knows who is there: what needs a key is no longer asked for without one.
    setTimeout(() => void client.refetchQueries({ type: 'active' }));
  });
  return client;
}
