import type { QueryClient } from '@tanstack/react-query';
import { isActive } from '#contract/statuses.ts';
import { hasTrackedGenerations } from './tracked-generations.ts';
import { generationsInQuery } from './generations-in-query.ts';

/** Loads the completion tracker as soon as a generation is active. Returns a function that stops it. */
export function watchGenerations(client: QueryClient): () => void {
  const ignore = () => undefined;
  let stop: () => void = ignore;
  let is_stopped = false;
  const load = () => {
    stop();
    stop = ignore;
    import('./track-completions.ts')
      .then(({ trackCompletions }) => (is_stopped ? undefined : trackCompletions(client)))
      .then((stopTracking = ignore) => (stop = stopTracking))
      .catch(ignore);
  };
  const hasActive = (query: Parameters<typeof generationsInQuery>[1]) =>
    generationsInQuery(client, query).some(({ status }) => isActive(status));
  const cache = client.getQueryCache();
  if (hasTrackedGenerations() || cache.getAll().some(hasActive)) load();
  else
    stop = cache.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && hasActive(event.query)) load();
    });
  return () => {
    is_stopped = true;
    stop();
  };
}
