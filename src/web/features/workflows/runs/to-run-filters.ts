import { startOfLocalDay } from '#web/ui/days.ts';
import type { WorkflowRunFilters } from '#web/api/queries/workflow-runs.ts';
import { withoutUndefined, type WorkflowsSearch } from '../workflows-search.ts';

/** The query of the list for an address; the first instant of `from`, the first after `to`. */
export function toRunFilters({ starter, status, from, to, q }: WorkflowsSearch): WorkflowRunFilters {
  return withoutUndefined({
    starter_slug: starter,
    status,
    q,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
  }) as WorkflowRunFilters;
}
