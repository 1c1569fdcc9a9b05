import { type QueryClient, keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import { type GenerationStatus, isActive } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { api } from '../api.ts';
import { type LiveList, replaceRow } from './live-list.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { workflowKeys } from './workflow-keys.ts';

/** Most of these polls are answered with a 304. */
const POLL_MS = 1000;
const REVIEW_POLL_MS = 15_000;
const PAGE_SIZE = 50;

export type WorkflowRunFilters = EndpointFilters<'list_workflow_runs'>;

const pollInterval_ms = (status: GenerationStatus | undefined) => {
  if (status === 'manual_review') return REVIEW_POLL_MS;
  return status !== undefined && isActive(status) ? POLL_MS : false;
};

export const loadWorkflowRun = (id: string, signal: AbortSignal) =>
  api.call('get_workflow_run', { params: { workflow_run_id: id }, signal });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: workflowKeys.run(id),
    queryFn: ({ signal }) => loadWorkflowRun(id, signal),
    refetchInterval: ({ state }) => pollInterval_ms(state.data?.status),
  });

export const loadWorkflowRunPage = (filters: WorkflowRunFilters, cursor: string | null, signal: AbortSignal) =>
  api.call('list_workflow_runs', { query: { ...filters, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }, signal });

function cacheWorkflowRun(client: QueryClient, run: WorkflowRun): void {
  client.setQueryData(workflowKeys.run(run.id), run);
  client.setQueriesData<LiveList<WorkflowRun>>({ queryKey: workflowKeys.runLists }, (list) =>
    list ? replaceRow(list, run) : list,
  );
  void client.invalidateQueries({ queryKey: workflowKeys.runHeads });
  void client.invalidateQueries({ queryKey: queryKeys.generations.heads });
  void client.invalidateQueries({ queryKey: queryKeys.billing.all });
}

export interface WorkflowRunRequest {
  body: BodyInput<'create_workflow_run'>;
  /** The same request with the same key never starts twice. */
  idempotency_key: string;
}

/** Starts a run. A request without a response is sent again with its idempotency key. */
export function useStartRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: WorkflowRunRequest) => api.call('create_workflow_run', request),
    networkMode: 'always',
    onSuccess: (run) => cacheWorkflowRun(client, run),
  });
}

export function useCancelRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason }: { id: string; reason: string | null }) =>
      api.call('cancel_workflow_run', { params: { workflow_run_id: id }, body: { reason } }),
    onMutate: ({ id }) => client.cancelQueries({ queryKey: workflowKeys.run(id) }),
    onSuccess: (run) => cacheWorkflowRun(client, run),
  });
}

/** Cost of retrying a run with changed inputs, and the steps that would be kept. */
export const retryEstimateQuery = (id: string, inputs: Record<string, unknown>) =>
  queryOptions({
    queryKey: workflowKeys.retryEstimate(id, inputs),
    queryFn: ({ signal }) =>
      api.call('estimate_workflow_run_retry', { params: { workflow_run_id: id }, body: { inputs }, signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });

export interface RetryOrder {
  id: string;
  /** The inputs that change; the run keeps all others. */
  inputs?: Record<string, unknown>;
  /** The same request with the same key never starts twice. */
  idempotency_key: string;
}

/** Retries a failed or canceled run as a new one that keeps the steps that succeeded. */
export function useRetryRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, inputs, idempotency_key }: RetryOrder) =>
      api.call('retry_workflow_run', {
        params: { workflow_run_id: id },
        ...(inputs ? { body: { inputs } } : {}),
        idempotency_key,
      }),
    onSuccess: (run, { id }) => {
      cacheWorkflowRun(client, run);
      // The old run now names its retry.
      void client.invalidateQueries({ queryKey: workflowKeys.run(id) });
    },
  });
}
