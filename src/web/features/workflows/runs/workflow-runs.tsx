import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
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
import { Loading } from '#web/ui/skeleton.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import type { WorkflowsSearch } from '../workflows-search.ts';
import { toRunFilters } from './to-run-filters.ts';
import { WorkflowRunRow, RunTableHead } from './workflow-run-row.tsx';
import { RunToolbar } from './run-toolbar.tsx';
import { RunTableSkeleton } from './run-table-skeleton.tsx';
import { useRunKeys } from './use-run-keys.ts';

const ROW_REM = 4.25;

export interface WorkflowRunsProps {
  search: WorkflowsSearch;
  onChange: (change: Partial<WorkflowsSearch>) => void;
  onClear: () => void;
}

/** Every run, newest first, with filters in the address. */
export function WorkflowRuns({ search, onChange, onClear }: WorkflowRunsProps) {
  const filters = useMemo(() => toRunFilters(search), [search]);
  const list = useWorkflowRunList(filters);
  const { ref, height_px } = useElementSize();
  const cursor = useRunKeys(list.rows);
  if (isMissingFeature(list.problem) && list.rows.length === 0)
    return (
      <EmptyState icon={<Workflow aria-hidden="true" />} title="This service has no workflows">
        Everything else works as before: make one thing after the other under “Create”.
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
        what="The runs"
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
  <NoMatches onClear={onClear}>No run fits all of these filters.</NoMatches>
);

function NoRuns() {
  return (
    <EmptyState
      icon={<Workflow aria-hidden="true" />}
      title="No runs yet"
      actions={
        useHasStarters() ? (
          <Link to="/workflows" search={{}} className={buttonClass({ variant: 'primary' })}>
            See the starters
          </Link>
        ) : null
      }
    >
      Runs appear here with their progress, results, and cost.
    </EmptyState>
  );
}
