import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { apiQuery, invalidate } from '../api-query.ts';
import { BILLING_READS, GENERATION_LISTS } from './stale-endpoints.ts';

/** `idle`: work that was started on another device shows up at last then. */
const POLL_MS = { active: 3_000, idle: 60_000 };

/** What runs and waits of the person. */
export const activityQuery = apiQuery(
  'get_activity',
  {},
  { poll: (activity) => (activity && activity.running + activity.queued > 0 ? POLL_MS.active : POLL_MS.idle) },
);

/** Reads the activity again after each change. Returns a function that stops it. */
export const refreshActivity = (client: QueryClient): (() => void) =>
  client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') void invalidate(client, 'get_activity');
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
  onSettled: (_count, _error, _variables, _result, { client }) =>
    void invalidate(client, GENERATION_LISTS, 'get_generation', ...BILLING_READS),
});
