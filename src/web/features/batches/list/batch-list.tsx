import { Link } from '@tanstack/react-router';
import { Download, Rows3 } from 'lucide-react';
import { useMemo } from 'react';
import { BATCH_STATUSES } from '#contract/statuses.ts';
import { formatMoney } from '#contract/money.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { RowCreator } from '#web/api/creator.tsx';
import type { Column } from '#web/api/list-columns.ts';
import { ResourceList } from '#web/api/resource-list.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { MadeByField, ShowEverybodyButton, useMadeByChip } from '#web/api/made-by-filter.tsx';
import { type BatchFilters, useBatchList } from '#web/api/queries/batches.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EVERYBODY, type PersonFilter, usePersonFilter } from '#web/api/queries/use-person-filter.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { AppliedFilters } from '#web/ui/filter-menu.tsx';
import { Field } from '#web/ui/field.tsx';
import { omitUndefined, parseOption } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/select.tsx';
import { useListCommands, useListCursor } from '#web/ui/use-list-cursor.ts';
import { BATCH_STATUS_LABELS, batchName, BatchStatusBadge, PAUSE_LABELS } from '../batch-labels.tsx';
import type { BatchesSearch } from '../batches-search.ts';
import { saveExampleCsv } from '../source/example-csv.ts';
import { BatchProgressBar, doneCount } from '../progress-bar.tsx';

const ignoreOpen = () => undefined;
const NARROW = { columns: 'auto minmax(0,1fr) auto', areas: ['text text progress', 'status cost time'] };

const columnsOf = (onFocus: (id: string) => void): readonly Column<Batch>[] => [
  {
    id: 'text',
    header: 'Batch',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate',
    skeleton: 'text',
    cell: (batch) => {
      const { pause_reason, counts } = batch;
      const note = pause_reason && pause_reason !== 'requested' ? PAUSE_LABELS[pause_reason] : failedText(counts);
      return (
        <>
          <Link
            to="/batches/$id"
            params={{ id: batch.id }}
            data-row=""
            dir="auto"
            onFocus={() => onFocus(batch.id)}
            className="font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            {batchName(batch)}
          </Link>
          {note ? <span className="ml-2 text-sm text-ink-3 @3xl:ml-0 @3xl:block @3xl:truncate">{note}</span> : null}
        </>
      );
    },
  },
  {
    id: 'progress',
    header: 'Progress',
    width: '11rem',
    line: 1,
    className: 'flex items-center gap-2 pb-1',
    skeleton: 'h-2 w-24 rounded-full',
    cell: ({ counts }) => (
      <>
        <BatchProgressBar counts={counts} className="h-1.5 w-16 @3xl:w-24" />
        <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums">
          {formatNumber(doneCount(counts))} / {formatNumber(counts.total)}
          <span className="sr-only"> done</span>
        </span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '7rem',
    line: 2,
    className: 'pt-1',
    skeleton: 'h-5 w-18',
    cell: ({ status }) => <BatchStatusBadge status={status} />,
  },
  {
    id: 'cost',
    header: 'Spent',
    width: '6rem',
    line: 2,
    align: 'right',
    className: 'pt-1.5 text-sm tabular-nums',
    skeleton: 'h-4 w-12',
    cell: ({ spent_usd }) => formatMoney(spent_usd),
  },
  {
    id: 'time',
    header: 'Started',
    width: '7rem',
    line: 2,
    align: 'right',
    className:
      'relative z-1 flex min-w-0 items-center justify-end gap-2 pt-1.5 text-sm text-ink-3 @3xl:flex-col @3xl:items-end @3xl:gap-0.5',
    skeleton: 'h-4 w-14',
    cell: ({ created_at, created_by }) => (
      <>
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:order-first" />
      </>
    ),
  },
];

const failedText = ({ failed }: Batch['counts']): string | null =>
  failed > 0 ? `${formatNumber(failed)} failed` : null;

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
  const list = useBatchList(filters, person.isReady);
  const ids = useMemo(() => list.rows.map(({ id }) => id), [list.rows]);
  const cursor = useListCursor(ids, undefined, ignoreOpen);
  const { onFocus } = cursor;
  const columns = useMemo(() => columnsOf(onFocus), [onFocus]);
  useListCommands({ group: 'Batches', item: 'batch', onStep: cursor.step });
  const isFiltered = status !== undefined || (person_id !== undefined && !person.isOwnByDefault);
  return (
    <div className="@container">
      <BatchToolbar search={search} person={person} onChange={onChange} />
      <ResourceList
        label="Batches"
        list={list}
        columns={columns}
        narrow={NARROW}
        rowRem={4.5}
        what="Your batches"
        older="Older batches"
        loadingLabel="Loading batches"
        skeletonRows={6}
        cursor={cursor}
        empty={
          isFiltered ? (
            <NoMatches onClear={onClear}>No batches match these filters.</NoMatches>
          ) : (
            <NoBatches onShowEverybody={person.isOwnByDefault ? () => onChange({ person: EVERYBODY }) : null} />
          )
        }
      />
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
