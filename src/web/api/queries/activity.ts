import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

/** `idle`: work that was started on another device shows up at last then. */
const POLL_MS = { active: 3_000, idle: 60_000 };

/** What runs and waits of the person. An addition (see `isMissingFeature`). */
export const activityQuery = queryOptions({
  queryKey: queryKeys.generations.activity,
  queryFn: ({ signal }) => api.call('get_activity', { signal }),
  refetchInterval: ({ state: { data } }) => (data && data.running + data.queued > 0 ? POLL_MS.active : POLL_MS.idle),
});

/** Reads the activity again after each change. Returns a function that stops it. */
export const refreshActivity = (client: QueryClient): (() => void) =>
  client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success')
      void client.invalidateQueries({ queryKey: queryKeys.generations.activity });
  });

/** Cancels everything of the person that waits, apart from workflow runs. Returns how many it were. */
export const cancelQueuedMutation = mutationOptions({
  mutationFn: async () => {
    let count = 0;
    for (;;) {
      const { canceled, has_more } = await api.call('cancel_generations', { body: { status: 'queued' } });
      count += canceled.length;
      // What another worker just claims is left out, so that nothing may be left to cancel.
      if (!has_more || canceled.length === 0) return count;
    }
  },
  onSettled: (_count, _error, _variables, _result, { client }) => {
    void client.invalidateQueries({ queryKey: queryKeys.generations.heads });
    void client.invalidateQueries({ queryKey: queryKeys.generations.details });
    void client.invalidateQueries({ queryKey: queryKeys.billing.all });
  },
});
