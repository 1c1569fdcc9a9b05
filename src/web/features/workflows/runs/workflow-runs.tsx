import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Workflow } from 'lucide-react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useHasStarters } from '#web/api/queries/workflow-starters.ts';
import { ShowEverybodyButton } from '#web/api/made-by-filter.tsx';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { type WorkflowRunFilters, useWorkflowRunList } from '#web/api/queries/workflow-runs.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { WorkflowsSearch } from '../workflows-search.ts';
import { ResourceList } from '#web/api/resource-list.tsx';
import { WORKFLOW_RUN_NARROW, workflowRunColumns } from './workflow-run-columns.tsx';
import { RunToolbar } from './run-toolbar.tsx';
import { startOfLocalDay } from '#web/ui/days.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';

const ignoreOpen = () => undefined;

export interface WorkflowRunsProps {
  search: WorkflowsSearch;
  onChange: (change: Partial<WorkflowsSearch>) => void;
  onClear: () => void;
}

export function WorkflowRuns({ search, onChange, onClear }: WorkflowRunsProps) {
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const filters = useMemo(() => toRunFilters(search, person_id), [search, person_id]);
  const list = useWorkflowRunList(filters, person.is_ready);
  const { ref, height_px } = useElementSize();
  const ids = useMemo(() => list.rows.map(({ id }) => id), [list.rows]);
  const cursor = useListCursor(ids, undefined, ignoreOpen);
  const { onFocus } = cursor;
  const columns = useMemo(() => workflowRunColumns(onFocus), [onFocus]);
  useListCommands({ group: 'Workflows', item: 'run', onStep: cursor.step });
  const isFiltered = Object.keys(filters).length > (person.is_own_by_default ? 1 : 0);
  if (isMissingFeature(list.problem) && list.rows.length === 0)
    return (
      <EmptyState icon={<Workflow aria-hidden="true" />} title="Workflows not available">
        This service doesn’t offer workflows. Everything else works as usual.
      </EmptyState>
    );
  return (
    <div className="@container">
      <div ref={ref} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 pb-3 md:top-0 md:-mx-8 md:px-8 md:pt-1">
        <RunToolbar search={search} person={person} onChange={onChange} />
      </div>
      <ResourceList
        label="Runs"
        list={list}
        columns={columns}
        narrow={WORKFLOW_RUN_NARROW}
        rowRem={4.25}
        what="Runs"
        older="Older runs"
        loadingLabel="Loading runs"
        cursor={cursor}
        coveredPx={height_px}
        empty={
          isFiltered ? (
            <NoMatches onClear={onClear}>No runs match these filters.</NoMatches>
          ) : (
            <NoRuns onShowEverybody={person.is_own_by_default ? () => onChange({ person: EVERYBODY }) : null} />
          )
        }
      />
    </div>
  );
}

/** @param props.onShowEverybody null: the list shows everybody's already */
function NoRuns({ onShowEverybody }: { onShowEverybody: (() => void) | null }) {
  const hasStarters = useHasStarters();
  return (
    <EmptyState
      icon={<Workflow aria-hidden="true" />}
      title={onShowEverybody ? 'You have no runs yet' : 'No runs yet'}
      actions={
        <>
          {hasStarters ? (
            <Link to="/workflows" search={{}} className={buttonClass({ variant: 'primary' })}>
              Browse workflows
            </Link>
          ) : null}
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      Runs appear here with their progress, results, and cost.
    </EmptyState>
  );
}

/**
 * Translates search parameters to list filters; `created_before` is exclusive.
 * @param person_id whose runs; undefined: everybody's
 */
export function toRunFilters(
  { starter, status, from, to, q }: WorkflowsSearch,
  person_id?: string,
): WorkflowRunFilters {
  return omitUndefined({
    starter_slug: starter,
    status,
    q,
    person_id,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
  });
}
