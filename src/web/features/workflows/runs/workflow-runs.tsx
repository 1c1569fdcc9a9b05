import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Workflow } from 'lucide-react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useHasStarters } from '#web/api/queries/workflow-starters.ts';
import { ShowEverybodyButton } from '#web/api/made-by-filter.tsx';
import { EVERYBODY, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { type WorkflowRunFilters, useWorkflowRunList } from '#web/api/queries/workflow-runs.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { Loading, Skeleton, SkeletonRows, skeletonTextWidth } from '#web/ui/skeleton.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { WorkflowsSearch } from '../workflows-search.ts';
import { WorkflowRunRow, RunTableHead, runRowGrid } from './workflow-run-row.tsx';
import { RunToolbar } from './run-toolbar.tsx';
import { cx } from '#web/ui/cx.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';

const rowProps = ({ id }: WorkflowRun) => ({ 'data-row-id': id });
const ignoreOpen = () => undefined;
const ROW_REM = 4.25;

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
      <ListStates
        list={list}
        what="Runs"
        older="Older runs"
        loading={
          <Loading label="Loading runs">
            <RunTableHead />
            <RunTableSkeleton rows={8} />
          </Loading>
        }
        empty={
          isFiltered ? (
            <NoMatchingRuns onClear={onClear} />
          ) : (
            <NoRuns onShowEverybody={person.is_own_by_default ? () => onChange({ person: EVERYBODY }) : null} />
          )
        }
      >
        <RunTableHead />
        <RowList
          label="Runs"
          items={list.rows}
          row_rem={ROW_REM}
          hasMore={list.hasMore}
          more={<RunTableSkeleton rows={3} />}
          onNearEnd={list.onNearEnd}
          covered_px={height_px}
          keptIndex={cursor.cursor}
          reveal={cursor.reveal}
          propsOf={rowProps}
        >
          {(run) => <WorkflowRunRow run={run} onFocus={cursor.onFocus} />}
        </RowList>
      </ListStates>
    </div>
  );
}

const NoMatchingRuns = ({ onClear }: { onClear: () => void }) => (
  <NoMatches onClear={onClear}>No runs match these filters.</NoMatches>
);

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

function RunTableSkeleton({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className={cx(runRowGrid, 'h-17')}>
      {(row) => (
        <>
          <Skeleton
            className={cx('mb-1 h-4 self-end [grid-area:text] @3xl:mb-0 @3xl:self-center', skeletonTextWidth(row))}
          />
          <Skeleton className="h-2 w-16 [grid-area:strip] @max-3xl:hidden" />
          <Skeleton className="mt-0.5 h-5 w-18 self-start [grid-area:status] @3xl:mt-0 @3xl:self-center" />
          <Skeleton className="mt-1 h-4 w-12 self-start [grid-area:cost] @3xl:mt-0 @3xl:self-center @3xl:justify-self-end" />
          <Skeleton className="mt-1 h-4 w-14 self-start justify-self-end [grid-area:time] @3xl:mt-0 @3xl:self-center" />
        </>
      )}
    </SkeletonRows>
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
