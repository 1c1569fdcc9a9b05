import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { WorkflowStarter } from '#contract/resources/workflow-starter.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { workflowKeys } from './workflow-keys.ts';
import { useSession } from '../session/session.ts';

/** Every starter, by name, without definitions. An addition (see `isMissingFeature`). */
export const startersQuery = queryOptions({
  queryKey: workflowKeys.starters,
  queryFn: async ({ signal }) => (await api.call('list_workflow_starters', { signal })).data,
  staleTime: 60_000,
});

/**
 * Whether to show links to starters. True until the service turns out to have none, because a link that appears late
 * moves the content below it.
 */
export function useHasStarters(): boolean {
  const enabled = useSession() === 'signed_in';
  const { error } = useQuery({ ...startersQuery, enabled });
  return enabled && !isMissingFeature(error);
}

export const starterQuery = (slug: string) =>
  queryOptions({
    queryKey: workflowKeys.starter(slug),
    queryFn: ({ signal }) => api.call('get_workflow_starter', { params: { slug }, signal }),
  });

/** Cost of running a starter. The previous estimate stays visible while a new one loads. */
export const workflowEstimateQuery = (slug: string, input: Record<string, unknown>) =>
  queryOptions({
    queryKey: workflowKeys.estimate(slug, input),
    queryFn: ({ signal }) => api.call('estimate_workflow', { params: { slug }, body: { input }, signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

/** Problems of a workflow that is being edited, and the cost of its example. */
export const workflowValidationQuery = (definition: BodyInput<'validate_workflow'>['definition']) =>
  queryOptions({
    queryKey: workflowKeys.validation(definition),
    queryFn: ({ signal }) => api.call('validate_workflow', { body: { definition }, signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

export const workflowDraftQuery = (generation_id: string) =>
  queryOptions({
    queryKey: workflowKeys.draft(generation_id),
    queryFn: ({ signal }) => api.call('draft_workflow', { params: { generation_id }, signal }),
  });

type StarterBody = BodyInput<'create_workflow_starter'>;

/** Saves a starter, as a new one or in place of the organization's own with that slug. */
export function useSaveStarter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ slug, body }: { slug: string | null; body: StarterBody }) =>
      slug === null
        ? api.call('create_workflow_starter', { body })
        : api.call('update_workflow_starter', { params: { slug }, body }),
    // Not retried: the second request would conflict with the slug that the first created.
    retry: false,
    onSuccess: (starter, { slug }) => {
      client.setQueryData(workflowKeys.starter(starter.slug), starter);
      if (slug !== null && slug !== starter.slug) client.removeQueries({ queryKey: workflowKeys.starter(slug) });
      void client.invalidateQueries({ queryKey: workflowKeys.starters });
    },
  });
}

/** Deletes one of the organization's own starters; its runs stay. */
export function useDeleteStarter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (slug: string) => api.call('delete_workflow_starter', { params: { slug } }),
    onSuccess: (_answer, slug) => {
      client.setQueryData<WorkflowStarter[]>(workflowKeys.starters, (list) =>
        list?.filter((starter) => starter.slug !== slug),
      );
      void client.invalidateQueries({ queryKey: workflowKeys.starters });
    },
  });
}
