import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Workflow } from 'lucide-react';
import { startersQuery } from '#web/api/queries/workflow-starters.ts';
import { ShowEverybodyButton, MadeByField, useMadeByChip } from '#web/api/made-by-filter.tsx';
import { EVERYBODY, usePersonFilter, type PersonFilter } from '#web/api/queries/use-person-filter.ts';
import { type WorkflowRunFilters, useWorkflowRunList } from '#web/api/queries/workflow-runs.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { WorkflowsSearch } from '../workflows-search.ts';
import { ResourceList } from '#web/api/resource-list.tsx';
import { WORKFLOW_RUN_NARROW, workflowRunColumns } from './workflow-run-columns.tsx';
import { startOfLocalDay, formatDayRange } from '#web/ui/days.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { useQuery } from '@tanstack/react-query';
import { AppliedFilters, FilterMenu } from '#web/ui/filter-menu.tsx';
import { Field } from '#web/ui/field.tsx';
import { SearchBox } from '#web/ui/search-box.tsx';
import { Select } from '#web/ui/select.tsx';
import { StatusChips } from '#web/ui/status-chips.tsx';

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
  const list = useWorkflowRunList(filters, person.isReady);
  const { ref, heightPx } = useElementSize();
  const ids = useMemo(() => list.rows.map(({ id }) => id), [list.rows]);
  const cursor = useListCursor(ids, undefined, ignoreOpen);
  const { onFocus } = cursor;
  const columns = useMemo(() => workflowRunColumns(onFocus), [onFocus]);
  useListCommands({ group: 'Workflows', item: 'run', onStep: cursor.step });
  const isFiltered = Object.keys(filters).length > (person.isOwnByDefault ? 1 : 0);
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
        coveredPx={heightPx}
        empty={
          isFiltered ? (
            <NoMatches onClear={onClear}>No runs match these filters.</NoMatches>
          ) : (
            <NoRuns onShowEverybody={person.isOwnByDefault ? () => onChange({ person: EVERYBODY }) : null} />
          )
        }
      />
    </div>
  );
}

/** @param props.onShowEverybody null: the list shows everybody's already */
function NoRuns({ onShowEverybody }: { onShowEverybody: (() => void) | null }) {
  return (
    <EmptyState
      icon={<Workflow aria-hidden="true" />}
      title={onShowEverybody ? 'You have no runs yet' : 'No runs yet'}
      actions={
        <>
          <Link to="/workflows" search={{}} className={buttonClass({ variant: 'primary' })}>
            Browse workflows
          </Link>
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

interface RunToolbarProps {
  search: WorkflowsSearch;
  person: PersonFilter;
  onChange: (change: Partial<WorkflowsSearch>) => void;
}

const ANY = '';

function RunToolbar({ search, person, onChange }: RunToolbarProps) {
  const { starter, status, from, to, q } = search;
  const names = useStarterNames(starter);
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter runs" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SearchBox
          label="Search runs"
          value={q ?? ''}
          onChange={(text) => onChange({ q: text || undefined })}
          className="min-w-36 flex-1 @3xl:max-w-64"
        />
        <div className="order-last w-full min-w-0 @3xl:order-none @3xl:w-auto @3xl:flex-1">
          <StatusChips value={status} onChange={(next) => onChange({ status: next })} />
        </div>
        <FilterMenu values={[person.person_id, starter]} from={from} to={to} onDaysChange={onChange}>
          <MadeByField filter={person} onChange={onChange} />
          <Field label="Workflow">
            <Select
              value={starter ?? ANY}
              options={[{ value: ANY, label: 'All workflows' }, ...names]}
              onChange={(value) => onChange({ starter: value || undefined })}
            />
          </Field>
        </FilterMenu>
      </div>
      <AppliedFilters
        filters={[
          madeBy,
          {
            label: names.find(({ value }) => value === starter)?.label,
            onRemove: () => onChange({ starter: undefined }),
          },
          { label: formatDayRange(from, to), onRemove: () => onChange({ from: undefined, to: undefined }) },
        ]}
      />
    </search>
  );
}

/** Options of the workflow filter, including a deleted workflow of the URL. */
function useStarterNames(selected: string | undefined) {
  const { data = [] } = useQuery(startersQuery);
  const names = data.map(({ slug, name }) => ({ value: slug, label: name }));
  if (selected === undefined || names.some(({ value }) => value === selected)) return names;
  return [...names, { value: selected, label: selected }];
}
