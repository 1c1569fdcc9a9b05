import { useMemo } from 'react';
import { isActive } from '#contract/statuses.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useLiveList } from './use-live-list.ts';
import { usePollActiveRows } from './use-poll-active-rows.ts';
import { workflowKeys } from './workflow-keys.ts';
import { loadWorkflowRun, loadWorkflowRunPage, type WorkflowRunFilters } from './workflow-runs.ts';

const POLL_MS = 2000;

const isActiveRun = ({ status }: WorkflowRun) => isActive(status);

/**
 * Workflow runs that match, with active ones polled.
 * @param filters pass the same object while the filters are the same
 * @param is_ready false: the filters are not known yet
 */
export function useWorkflowRunList(filters: WorkflowRunFilters, is_ready?: boolean) {
  const listKey = useMemo(() => workflowKeys.runList(filters), [filters]);
  const headKey = useMemo(() => workflowKeys.runHead(filters), [filters]);
  const list = useLiveList<WorkflowRun>({
    listKey,
    headKey,
    is_ready,
    loadPage: (cursor, signal) => loadWorkflowRunPage(filters, cursor, signal),
    poll_ms: (rows) => (rows.some(isActiveRun) ? POLL_MS : false),
  });
  usePollActiveRows<WorkflowRun>({
    listKey,
    rows: list.rows,
    newest: list.newest,
    isRowActive: isActiveRun,
    keyOf: workflowKeys.run,
    load: loadWorkflowRun,
  });
  return list;
}
