import { startOfDay } from '#web/ui/days.ts';
import type { RunFilters } from '#web/queries/workflow-runs.ts';
import { present, type WorkflowsSearch } from '../workflow-search.ts';

/** The query of the list for an address; the first instant of `from`, the first after `to`. */
export function toRunFilters({ starter, status, from, to, q }: WorkflowsSearch): RunFilters {
  return present({
    starter_slug: starter,
    status,
    q,
    created_after: startOfDay(from)?.toISOString(),
    created_before: startOfDay(to, 1)?.toISOString(),
  }) as RunFilters;
}
