import type { BodyInput } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery, invalidate } from '../api-query.ts';

const ESTIMATE_CACHE = { staleTime: 60_000, gcTime: 60_000, keepPrevious: true };

/** Every starter, by name, without definitions. */
export const startersQuery = apiQuery('list_workflow_starters', {}, { read: ({ data }) => data, staleTime: 60_000 });

export const starterQuery = (slug: string) => apiQuery('get_workflow_starter', { params: { slug } });

/** Cost of running a starter. The previous estimate stays visible while a new one loads. */
export const workflowEstimateQuery = (slug: string, input: Record<string, unknown>) =>
  apiQuery('estimate_workflow', { params: { slug }, body: { input } }, ESTIMATE_CACHE);

/** Problems of a workflow that is being edited, and the cost of its example. */
export const workflowValidationQuery = (definition: BodyInput<'validate_workflow'>['definition']) =>
  apiQuery('validate_workflow', { body: { definition } }, ESTIMATE_CACHE);

export const workflowDraftQuery = (generationId: string) =>
  apiQuery('draft_workflow', { params: { generation_id: generationId } });

type StarterBody = BodyInput<'create_workflow_starter'>;

/** Saves a starter, as a new one or in place of the organization's own with that slug. */
export const useSaveStarter = apiMutation(
  ({ slug, body }: { slug: string | null; body: StarterBody }) =>
    slug === null
      ? api.call('create_workflow_starter', { body })
      : api.call('update_workflow_starter', { params: { slug }, body }),
  {
    // Not retried: the second request would conflict with the slug that the first created.
    retry: false,
    onSuccess: (starter, { slug }, _result, { client }) => {
      client.setQueryData(starterQuery(starter.slug).queryKey, starter);
      if (slug !== null && slug !== starter.slug) client.removeQueries({ queryKey: starterQuery(slug).queryKey });
      void invalidate(client, 'list_workflow_starters');
    },
  },
);

/** Deletes one of the organization's own starters; its runs stay. */
export const useDeleteStarter = apiMutation(
  (slug: string) => api.call('delete_workflow_starter', { params: { slug } }),
  {
    onSuccess: (_data, slug, _result, { client }) => {
      client.setQueryData(startersQuery.queryKey, (list) => list?.filter((starter) => starter.slug !== slug));
      void invalidate(client, 'list_workflow_starters');
    },
  },
);
