import type { QueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { isActive } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { api } from '../api.ts';
import { apiKey, apiMutation, apiQuery, type EndpointFilters, invalidate } from '../api-query.ts';
import { type LiveList, replaceRow } from '../live-list.ts';
import { useLiveList } from '../use-live-list.ts';
import { useInvalidateOnChange, usePollActiveRows } from '../use-poll-active-rows.ts';
import { pollInterval } from './generations.ts';
import { BILLING_READS, GENERATION_LISTS } from './stale-endpoints.ts';

const POLL_MS = { list: 2000, olderRows: 5000 };
const PAGE_SIZE = 50;

export type WorkflowRunFilters = EndpointFilters<'list_workflow_runs'>;

export const runQuery = (id: string) =>
  apiQuery('get_workflow_run', { params: { workflow_run_id: id } }, { poll: (run) => pollInterval(run?.status) });

const isActiveRun = ({ status }: WorkflowRun) => isActive(status);

/**
 * Workflow runs that match, with active ones polled.
 * @param isReady false: the filters are not known yet
 */
export function useWorkflowRunList(filters: WorkflowRunFilters, isReady?: boolean) {
  const request = { query: { ...filters, limit: PAGE_SIZE } };
  const list = useLiveList({
    name: 'list_workflow_runs',
    request,
    isReady,
    read: (page) => page,
    poll: (rows) => (rows.some(isActiveRun) ? POLL_MS.list : false),
  });
  usePollActiveRows<WorkflowRun>({
    listKey: apiKey('list_workflow_runs', request, 'live'),
    list,
    isRowActive: isActiveRun,
    queryOf: (id) => ({
      queryKey: runQuery(id).queryKey,
      load: (signal) => api.call('get_workflow_run', { params: { workflow_run_id: id }, signal }),
    }),
    pollMs: POLL_MS.olderRows,
  });
  const activeIds = list.rows.filter(isActiveRun).map(({ id }) => id);
  useInvalidateOnChange(activeIds.join(), BILLING_READS);
  return list;
}

function cacheWorkflowRun(client: QueryClient, run: WorkflowRun): void {
  const lists = apiKey('list_workflow_runs', {}, 'live');
  client.setQueryData(runQuery(run.id).queryKey, run);
  client.setQueriesData<LiveList<WorkflowRun>>({ queryKey: lists }, (list) => list && replaceRow(list, run));
  void invalidate(client, lists, GENERATION_LISTS, ...BILLING_READS);
}

export interface WorkflowRunRequest {
  body: BodyInput<'create_workflow_run'>;
  /** The same request with the same key never starts twice. */
  idempotency_key: string;
}

/** Starts a run. A request without a response is sent again with its idempotency key. */
export const useStartRun = apiMutation((request: WorkflowRunRequest) => api.call('create_workflow_run', request), {
  networkMode: 'always',
  onSuccess: (run, _request, _result, { client }) => cacheWorkflowRun(client, run),
});

export const useCancelRun = apiMutation(
  ({ id, reason }: { id: string; reason: string | null }) =>
    api.call('cancel_workflow_run', { params: { workflow_run_id: id }, body: { reason } }),
  {
    onMutate: ({ id }, { client }) => client.cancelQueries({ queryKey: runQuery(id).queryKey }),
    onSuccess: (run, _request, _result, { client }) => cacheWorkflowRun(client, run),
  },
);

/** Cost of retrying a run with changed inputs, and the steps that would be kept. */
export const retryEstimateQuery = (id: string, inputs: Record<string, unknown>) =>
  apiQuery(
    'estimate_workflow_run_retry',
    { params: { workflow_run_id: id }, body: { inputs } },
    { staleTime: 60_000, gcTime: 60_000, keepPrevious: true },
  );

export interface RetryOrder {
  id: string;
  /** The inputs that change; the run keeps all others. */
  inputs?: Record<string, unknown>;
  /** The same request with the same key never starts twice. */
  idempotency_key: string;
}

/** Retries a failed or canceled run as a new one that keeps the steps that succeeded. */
export const useRetryRun = apiMutation(
  ({ id, inputs, idempotency_key }: RetryOrder) =>
    api.call('retry_workflow_run', {
      params: { workflow_run_id: id },
      ...(inputs ? { body: { inputs } } : {}),
      idempotency_key,
    }),
  {
    onSuccess: (run, { id }, _result, { client }) => {
      cacheWorkflowRun(client, run);
      // The old run now names its retry.
      void invalidate(client, runQuery(id).queryKey);
    },
  },
);
