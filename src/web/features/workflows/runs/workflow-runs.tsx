import { Link } from '@tanstack/react-router';
import { useMemo, useEffect, useState } from 'react';
import { Workflow } from 'lucide-react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useHasStarters } from '#web/api/queries/workflow-starters.ts';
import { useWorkflowRunList } from '#web/api/queries/use-workflow-run-list.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMatches } from '#web/ui/no-matches.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { type WorkflowsSearch, withoutUndefined } from '../workflows-search.ts';
import { WorkflowRunRow, RunTableHead, runRowGrid } from './workflow-run-row.tsx';
import { RunToolbar } from './run-toolbar.tsx';
import { cx } from '#web/ui/cx.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import type { WorkflowRunFilters } from '#web/api/queries/workflow-runs.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { useCommands } from '#web/ui/commands.ts';

const group = 'Workflows';

/** The runs by keyboard: where it is in the list follows the focus and survives rows coming and going. */
function useRunKeys(rows: readonly WorkflowRun[]) {
  const [at, setAt] = useState<string>();
  const [reveal, setReveal] = useState<{ index: number } | null>(null);
  const index = rows.findIndex(({ id }) => id === at);
  useEffect(() => {
    const id = reveal && rows[reveal.index]?.id;
    if (!id) return;
    document.querySelector<HTMLElement>(`[data-run="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
    // Rows that come or go must not take the focus back to where the keyboard was.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [reveal]);
  const step = (by: 1 | -1) => {
    const next = index === -1 ? 0 : index + by;
    const row = rows[next];
    if (!row) return;
    setAt(row.id);
    setReveal({ index: next });
  };
  useCommands([
    { group, label: 'Next run', keys: 'j', hiddenInPalette: true, run: () => step(1) },
    { group, label: 'Run before', keys: 'k', hiddenInPalette: true, run: () => step(-1) },
  ]);
  return { index, reveal, onFocus: setAt };
}

const ROW_REM = 4.25;

export interface WorkflowRunsProps {
  search: WorkflowsSearch;
  onChange: (change: Partial<WorkflowsSearch>) => void;
  onClear: () => void;
}

export function WorkflowRuns({ search, onChange, onClear }: WorkflowRunsProps) {
  const filters = useMemo(() => toRunFilters(search), [search]);
  const list = useWorkflowRunList(filters);
  const { ref, height_px } = useElementSize();
  const cursor = useRunKeys(list.rows);
  if (isMissingFeature(list.problem) && list.rows.length === 0)
    return (
      <EmptyState icon={<Workflow aria-hidden="true" />} title="Workflows not available">
        This service doesn’t offer workflows. Everything else works as usual.
      </EmptyState>
    );
  return (
    <div className="@container">
      <div ref={ref} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 pb-3 md:top-0 md:-mx-8 md:px-8 md:pt-1">
        <RunToolbar search={search} onChange={onChange} />
      </div>
      {list.problem && list.rows.length > 0 ? (
        <Callout
          tone="amber"
          title="This list may be out of date"
          action={
            <Button size="sm" onClick={list.reload}>
              Try again
            </Button>
          }
        >
          The service can’t be asked right now.
        </Callout>
      ) : null}
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
        empty={Object.keys(filters).length > 0 ? <NoMatchingRuns onClear={onClear} /> : <NoRuns />}
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
          keptIndex={cursor.index}
          reveal={cursor.reveal}
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

function NoRuns() {
  return (
    <EmptyState
      icon={<Workflow aria-hidden="true" />}
      title="No runs yet"
      actions={
        useHasStarters() ? (
          <Link to="/workflows" search={{}} className={buttonClass({ variant: 'primary' })}>
            Browse workflows
          </Link>
        ) : null
      }
    >
      Runs appear here with their progress, results, and cost.
    </EmptyState>
  );
}

function RunTableSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={cx(runRowGrid, 'h-17 border-b border-line')}>
          <Skeleton
            className={cx(
              'mb-1 h-4 self-end [grid-area:text] @3xl:mb-0 @3xl:self-center',
              ['w-3/5', 'w-4/5', 'w-2/5'][row % 3],
            )}
          />
          <Skeleton className="h-2 w-16 [grid-area:strip] @max-3xl:hidden" />
          <Skeleton className="mt-0.5 h-5 w-18 self-start [grid-area:status] @3xl:mt-0 @3xl:self-center" />
          <Skeleton className="mt-1 h-4 w-12 self-start [grid-area:cost] @3xl:mt-0 @3xl:self-center @3xl:justify-self-end" />
          <Skeleton className="mt-1 h-4 w-14 self-start justify-self-end [grid-area:time] @3xl:mt-0 @3xl:self-center" />
        </div>
      ))}
    </div>
  );
}

/** Translates search parameters to list filters; `created_before` is exclusive. */
export function toRunFilters({ starter, status, from, to, q }: WorkflowsSearch): WorkflowRunFilters {
  return withoutUndefined({
    starter_slug: starter,
    status,
    q,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
  }) as WorkflowRunFilters;
}
