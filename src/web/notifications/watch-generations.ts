import type { QueryClient } from '@tanstack/react-query';
import { isActive } from '#contract/generation-status.ts';
import { hasTrackedGenerations } from './tracked-generations.ts';
import { generationsInQuery } from './generations-in-query.ts';

/** Fetches what follows generations once one is under way. Returns how to stop. */
export function watchGenerations(client: QueryClient): () => void {
  const nothing = () => undefined;
  let stop: () => void = nothing;
  let over = false;
  const bring = () => {
    stop();
    stop = nothing;
    import('./track-completions.ts')
      .then(({ trackCompletions: awaitEnds }) => (over ? undefined : awaitEnds(client)))
      .then((end = nothing) => (stop = end))
      .catch(nothing);
  };
  const moves = (query: Parameters<typeof generationsInQuery>[1]) =>
    generationsInQuery(client, query).some(({ status }) => isActive(status));
  const cache = client.getQueryCache();
  if (hasTrackedGenerations() || cache.getAll().some(moves)) bring();
  else
    stop = cache.subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success' && moves(event.query)) bring();
    });
  return () => {
    over = true;
    stop();
  };
}
