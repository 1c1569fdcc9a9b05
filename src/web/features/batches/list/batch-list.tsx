import { Link } from '@tanstack/react-router';
import { Download, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { BATCH_STATUSES } from '#contract/batch-status.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { MadeByField, ShowEverybodyButton, useMadeByChip } from '#web/api/made-by-filter.tsx';
import { type BatchFilters, useBatchList } from '#web/api/queries/batches.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EVERYBODY, type PersonFilter, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { AppliedFilters } from '#web/ui/filter-menu.tsx';
import { Field } from '#web/ui/field.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { omitUndefined, parseOption } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/select.tsx';
import { Loading, Skeleton, SkeletonRows, skeletonTextWidth } from '#web/ui/skeleton.tsx';
import { useListCommands, useListCursor } from '#web/ui/use-list-cursor.ts';
import { BATCH_STATUS_LABELS } from '../batch-labels.tsx';
import type { BatchesSearch } from '../batches-search.ts';
import { saveExampleCsv } from '../source/example-csv.ts';
import { BatchRow, BatchTableHead } from './batch-row.tsx';

const ROW_REM = 4.5;
const rowProps = ({ id }: Batch) => ({ 'data-row-id': id });
const ignoreOpen = () => undefined;

interface BatchListProps {
  search: BatchesSearch;
  onChange: (change: BatchesSearch) => void;
  onClear: () => void;
}

export function BatchList({ search, onChange, onClear }: BatchListProps) {
  const person = usePersonFilter(search.person);
  const { person_id } = person;
  const status = parseOption(BATCH_STATUSES, search.state);
  const filters = useMemo(
    (): BatchFilters => omitUndefined({ mode: 'list' as const, status, person_id }),
    [status, person_id],
  );
  const list = useBatchList(filters, person.is_ready);
  const ids = useMemo(() => list.rows.map(({ id }) => id), [list.rows]);
  const cursor = useListCursor(ids, undefined, ignoreOpen);
  useListCommands({ group: 'Batches', item: 'batch', onStep: cursor.step });
  const isFiltered = status !== undefined || (person_id !== undefined && !person.is_own_by_default);
  if (isMissingFeature(list.problem) && list.rows.length === 0)
    return (
      <EmptyState icon={<Rows3 aria-hidden="true" />} title="Batches not available">
        This service doesn’t offer batches. Everything else works as usual.
      </EmptyState>
    );
  return (
    <div className="@container">
      <BatchToolbar search={search} person={person} onChange={onChange} />
      <ListStates
        list={list}
        what="Your batches"
        older="Older batches"
        loading={
          <Loading label="Loading batches">
            <BatchTableHead />
            <BatchRowSkeletons rows={6} />
          </Loading>
        }
        empty={
          isFiltered ? (
            <NoMatches onClear={onClear}>No batches match these filters.</NoMatches>
          ) : (
            <NoBatches onShowEverybody={person.is_own_by_default ? () => onChange({ person: EVERYBODY }) : null} />
          )
        }
      >
        <BatchTableHead />
        <RowList
          label="Batches"
          items={list.rows}
          row_rem={ROW_REM}
          hasMore={list.hasMore}
          more={<BatchRowSkeletons rows={3} />}
          onNearEnd={list.onNearEnd}
          keptIndex={cursor.cursor}
          reveal={cursor.reveal}
          propsOf={rowProps}
        >
          {(batch) => <BatchRow batch={batch} onFocus={cursor.onFocus} />}
        </RowList>
      </ListStates>
    </div>
  );
}

interface BatchToolbarProps extends Omit<BatchListProps, 'onClear'> {
  person: PersonFilter;
}

const ANY = 'any';

function BatchToolbar({ search, person, onChange }: BatchToolbarProps) {
  const madeBy = useMadeByChip(person, onChange);
  return (
    <search aria-label="Filter batches" className="mb-3 flex flex-col gap-3">
      <div className="grid max-w-md grid-cols-2 gap-3">
        <Field label="Status">
          <Select
            value={parseOption(BATCH_STATUSES, search.state) ?? ANY}
            options={[
              { value: ANY, label: 'All' },
              ...Object.entries(BATCH_STATUS_LABELS).map(([value, { label }]) => ({
                value: value as Batch['status'],
                label,
              })),
            ]}
            onChange={(value) => onChange({ state: value === ANY ? undefined : value })}
          />
        </Field>
        <MadeByField filter={person} onChange={onChange} />
      </div>
      <AppliedFilters filters={[madeBy]} />
    </search>
  );
}

/** @param props.onShowEverybody null: the list shows everybody's already */
function NoBatches({ onShowEverybody }: { onShowEverybody: (() => void) | null }) {
  const canCreate = useCan('work.create');
  return (
    <EmptyState
      icon={<Rows3 aria-hidden="true" />}
      title={onShowEverybody ? 'You have no batches yet' : 'No batches yet'}
      actions={
        <>
          {canCreate ? (
            <>
              <Link to="/batches/new" className={buttonClass({ variant: 'primary' })}>
                New batch
              </Link>
              <Button icon={<Download aria-hidden="true" className="size-4" />} onClick={saveExampleCsv}>
                Example CSV
              </Button>
            </>
          ) : null}
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      A batch is a list of up to 1,000 orders. Write a row for each in a spreadsheet, with a column for each value that
      differs, and save it as CSV. You see every price and problem before anything starts.
    </EmptyState>
  );
}

function BatchRowSkeletons({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className="flex h-18 items-center gap-4 px-3">
      {(row) => (
        <>
          <Skeleton className={`h-4 ${skeletonTextWidth(row)}`} />
          <Skeleton className="ml-auto h-2 w-24 flex-none rounded-full" />
        </>
      )}
    </SkeletonRows>
  );
}
