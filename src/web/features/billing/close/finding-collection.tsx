import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, Scale } from 'lucide-react';
import { createContext, use } from 'react';
import type { ClosingFinding } from '#contract/resources/closing-finding.ts';
import { Money } from '#web/api/money.tsx';
import { findingsQuery } from '#web/api/queries/closing.ts';
import { usePagedList } from '#web/collections/collection-list.ts';
import { defineCollection } from '#web/collections/collection-view.tsx';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import type { SelectionState } from '#web/media/library/selection/selection.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { FINDING_FILTERS, KIND_LABELS } from './close-search.ts';
import { countOf, describeCause, findingState, findingTitle } from './finding-labels.ts';

interface FindingRowsState {
  openId: string | undefined;
  selectedIds: ReadonlyMap<string, unknown>;
  /** null: the role may not settle. */
  select: Pick<SelectionState<ClosingFinding>, 'toggle' | 'extend'> | null;
}

/** What the rows share. */
export const FindingRowsContext = createContext<FindingRowsState>({
  openId: undefined,
  selectedIds: new Map(),
  select: null,
});

function TickCell({ finding }: { finding: ClosingFinding }) {
  const { select, selectedIds } = use(FindingRowsContext);
  if (!select || finding.actions.length === 0) return null;
  return (
    <label className="-m-2 flex p-2">
      <input
        type="checkbox"
        className="tick"
        aria-label={`Select ${findingTitle(finding)}`}
        checked={selectedIds.has(finding.id)}
        // Change events don't tell whether Shift is held, so the click handler selects.
        onChange={() => undefined}
        onClick={(event) => select[event.shiftKey ? 'extend' : 'toggle'](finding)}
      />
    </label>
  );
}

const sourceLink = 'relative z-1 underline underline-offset-2 hover:text-ink';

function NameCell({ finding }: { finding: ClosingFinding }) {
  const { openId } = use(FindingRowsContext);
  const { id, generation_id, line, job_count, line_count, month } = finding;
  return (
    <>
      <Link
        to="/billing"
        search={(before) => ({ ...before, part: 'close' as const, open: id })}
        resetScroll={false}
        replace={openId !== undefined}
        aria-current={id === openId || undefined}
        dir="auto"
        {...ROW_LINK}
        className={`${ROW_LINK.className} font-medium`}
      >
        {findingTitle(finding)}
      </Link>
      <br />
      <span className="text-xs text-ink-3">
        {generation_id === null ? (
          job_count > 0 && countOf(job_count, 'job')
        ) : (
          <Link to="/generations/$id" params={{ id: generation_id }} search={{}} className={sourceLink}>
            Generation
          </Link>
        )}
        {job_count > 0 && line ? ' · ' : null}
        {line ? (
          <Link
            to="/billing"
            search={{ part: 'close', month, bill: line.bill_id, row: line.row }}
            className={sourceLink}
          >
            {line_count === 1 ? `Row ${line.row}` : countOf(line_count, 'row')}
          </Link>
        ) : null}
      </span>
    </>
  );
}

const STATES = {
  open: (
    <Badge tone="amber" icon={<CircleDashed aria-hidden="true" />}>
      Open
    </Badge>
  ),
  settled: (
    <Badge tone="good" icon={<CircleCheck aria-hidden="true" />}>
      Settled
    </Badge>
  ),
  none: null,
};

export const FindingStateBadge = ({ finding }: { finding: ClosingFinding }) => STATES[findingState(finding)];

const amount = (value: string | null) => (value === null ? '–' : <Money amount_usd={value} />);
const figure = { align: 'right', className: 'text-right text-sm', skeleton: 'h-4 w-16' } as const;

const COLUMNS: readonly Column<ClosingFinding>[] = [
  {
    id: 'tick',
    width: '1.25rem',
    className: 'relative z-1',
    skeleton: 'size-4',
    cell: (finding) => <TickCell finding={finding} />,
  },
  {
    id: 'what',
    header: 'Model or service',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate pb-0.5 leading-[1.3]',
    skeleton: 'text',
    cell: (finding) => <NameCell finding={finding} />,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: '13rem',
    line: 2,
    className: 'min-w-0 truncate pt-0.5 text-sm leading-[1.3]',
    skeleton: 'h-4 w-28',
    cell: (finding) => (
      <>
        {KIND_LABELS[finding.kind]}
        <br className="@max-3xl:hidden" />
        <span className="text-xs text-ink-3">
          <span className="@3xl:hidden">{finding.detail.cause === null ? null : ' · '}</span>
          {describeCause(finding)}
        </span>
      </>
    ),
  },
  {
    id: 'day',
    header: 'Day (UTC)',
    width: '6rem',
    from: 'widest',
    className: 'text-sm whitespace-nowrap text-ink-3',
    cell: ({ charged_at }) => charged_at.slice(0, 10),
  },
  {
    id: 'cost',
    header: 'Our cost',
    width: '7rem',
    from: 'widest',
    ...figure,
    cell: ({ cost_usd }) => amount(cost_usd),
  },
  {
    id: 'bill',
    header: 'Their bill',
    width: '7rem',
    from: 'widest',
    ...figure,
    cell: ({ bill_usd }) => amount(bill_usd),
  },
  {
    id: 'difference',
    header: 'Difference',
    width: '8.5rem',
    line: 1,
    ...figure,
    cell: ({ difference_usd }) => <Money signed amount_usd={difference_usd} className="font-medium" />,
  },
  {
    id: 'state',
    header: 'State',
    width: '5.5rem',
    line: 2,
    className: 'justify-self-end pt-0.5 @3xl:justify-self-start',
    skeleton: 'h-5 w-16',
    cell: (finding) => <FindingStateBadge finding={finding} />,
  },
];

const NoFindings = () => (
  <EmptyState icon={<Scale aria-hidden="true" />} title="Nothing to compare yet">
    Findings appear here once a bill is stored.
  </EmptyState>
);

/** What the difference of a provider's month is made of. */
export const findingsOf = (month: string, provider_id: string) =>
  defineCollection({
    label: 'Findings',
    item: 'finding',
    filters: FINDING_FILTERS,
    useList: (query) => usePagedList(findingsQuery({ ...query, month, provider_id })),
    body: {
      columns: COLUMNS,
      narrow: {
        columns: '1.25rem minmax(0,1fr) auto',
        areas: ['tick what difference', 'tick kind state'],
      },
      rowRem: 4.75,
    },
    Empty: NoFindings,
  });
