import { mutationOptions, type Query, type QueryClient } from '@tanstack/react-query';
import type { Activity } from '#contract/resources/activity.ts';
import { isActive } from '#contract/statuses.ts';
import { api } from '../api.ts';
import { apiQuery, invalidate } from '../api-query.ts';
import { readGenerations } from './generations.ts';
import { BILLING_READS, GENERATION_LISTS } from './stale-endpoints.ts';

/** `idle`: work that was started on another device shows up at last then. */
const POLL_MS = { active: 3_000, idle: 60_000 };

/** What runs and waits of the person. */
export const activityQuery = apiQuery(
  'get_activity',
  {},
  { poll: (activity) => (activity && activity.running + activity.queued > 0 ? POLL_MS.active : POLL_MS.idle) },
);

/**
 * Reads the activity again after each change, and leaves out at once what another query saw complete. Returns a function
 * that stops it.
 */
export function refreshActivity(client: QueryClient): () => void {
  const stopMutations = client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') void invalidate(client, 'get_activity');
  });
  const stopQueries = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const known = client.getQueryData(activityQuery.queryKey);
    const left = known && withoutCompleted(known, event.query);
    if (!left || left === known) return;
    client.setQueryData(activityQuery.queryKey, left);
    void invalidate(client, 'get_activity');
  });
  return () => {
    stopMutations();
    stopQueries();
  };
}

/** The same activity if the data of a query have nothing of it that is complete. */
function withoutCompleted(
  activity: Activity,
  { queryKey, state: { data } }: Pick<Query, 'queryKey' | 'state'>,
): Activity {
  const completed = new Set(
    readGenerations(queryKey, data).flatMap(({ id, status }) => (isActive(status) ? [] : [id])),
  );
  const gone = activity.generations.filter(({ generation: { id } }) => completed.has(id));
  if (gone.length === 0) return activity;
  const count = (status: string) => gone.filter(({ generation }) => generation.status === status).length;
  return {
    ...activity,
    running: activity.running - count('running'),
    queued: activity.queued - count('queued'),
    generations: activity.generations.filter(({ generation: { id } }) => !completed.has(id)),
  };
}

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
