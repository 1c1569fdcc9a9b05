import type { QueryClient } from '@tanstack/react-query';
import { NetworkError } from '#web/api/api-errors.ts';
import { isServiceReachable } from './recover-script.ts';

const MIN_WAIT_MS = 3_000;
const MAX_WAIT_MS = 60_000;

/**
 * Refetches queries that failed because the service was unreachable, as soon as it responds. Where they fail again
 * although it responds, each wait is twice as long as the previous one.
 */
export function refetchWhenReachable(client: QueryClient): void {
  const isCutOff = ({ state }: { state: { error: unknown } }) => state.error instanceof NetworkError;
  const someCutOff = () => client.getQueryCache().findAll({ type: 'active', predicate: isCutOff }).length > 0;
  let isWatching = false;

  const watch = async () => {
    for (let waitMs = MIN_WAIT_MS; someCutOff();) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (document.hidden || !(await isServiceReachable())) continue;
      await client.refetchQueries({ type: 'active', predicate: isCutOff });
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
    }
    isWatching = false;
  };
  client.getQueryCache().subscribe((event) => {
    if (isWatching || event.type !== 'updated' || event.action.type !== 'error') return;
    if (!(event.action.error instanceof NetworkError)) return;
    isWatching = true;
    void watch();
  });
}
