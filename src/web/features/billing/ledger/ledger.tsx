import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useId, useMemo } from 'react';
import { LEDGER_TYPES } from '#contract/money/ledger.ts';
import { api } from '#web/api/api.ts';
import { Money } from '#web/api/money.tsx';
import { ledgerSumsQuery } from '#web/api/queries/billing.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { type LedgerFilters, ledgerEntryQuery } from '#web/api/queries/ledger.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import {
  CollectionBar,
  CollectionRows,
  useCollection,
  useCollectionCommands,
} from '#web/collections/collection-view.tsx';
import { ExportButton } from '#web/collections/export-button.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { entryIdOf, isLine, type LedgerRow } from './describe-row.ts';
import { exportFilename } from './export-filename.ts';
import { LEDGER_ENTRIES, LEDGER_LINES, LedgerRowsContext } from './ledger-collection.tsx';
import { lineTypes, showsEntries } from './ledger-search.ts';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';

const VIEWS = [
  { value: 'lines', label: 'Charges', hint: 'One row for each charge, with its reservation, release and refunds' },
  { value: 'entries', label: 'All entries', hint: 'Every ledger entry in a row of its own' },
] as const;

export function Ledger({ search, onChange }: Omit<BillingTabProps, 'onClear'>) {
  const isEntries = showsEntries(search);
  // One hook reads both, so the list may change while the toolbar keeps the focus.
  const collection = isEntries ? LEDGER_ENTRIES : LEDGER_LINES;
  const heading = useId();
  const router = useRouter();
  const { open, ...rest } = search;
  const { run, key } = rest;
  const panelHref = `${router.buildLocation({ to: '/billing', search: { ...rest, part: 'ledger' } }).href}&open=`;
  const show = (row: LedgerRow | undefined, replace: boolean) =>
    void router.navigate({
      to: '/billing',
      search: (before) => omitUndefined({ ...before, part: 'ledger' as const, open: row && entryIdOf(row) }),
      replace,
      resetScroll: false,
    });
  const state = useCollection(collection, {
    search,
    onChange,
    findOpen: useFindOpen(open),
    onFollow: (row) => show(row, true),
  });
  const { cursor, openId, query, ids, list } = state;
  const close = () => {
    if (open === undefined) return;
    show(undefined, false);
    cursor.moveTo(openId, { follow: false });
  };
  useCollectionCommands(collection, state, {
    onOpen: () => {
      const row = list.rows[cursor.cursor];
      if (row) show(row, open !== undefined);
    },
    commands: [{ keys: 'escape', label: 'Close the panel', run: close }],
  });
  const tabStopId = ids[Math.max(0, cursor.cursor)];
  const shared = useMemo(() => ({ panelHref, openRowId: openId, tabStopId }), [panelHref, openId, tabStopId]);
  const rowProps = useCallback(
    (row: LedgerRow) => ({
      'data-href': panelHref + entryIdOf(row),
      className: 'cursor-pointer tabular-nums hover:bg-hover',
    }),
    [panelHref],
  );
  const keys = useQuery({ ...keysQuery, enabled: useCan('keys.manage') && key !== undefined }).data;
  return (
    <section aria-labelledby={heading} className="@container">
      <h2 id={heading} className="sr-only">
        Ledger
      </h2>
      <CollectionBar collection={collection} state={state}>
        <SegmentedControl
          label="View"
          value={isEntries ? 'entries' : 'lines'}
          options={VIEWS}
          onChange={(view) =>
            onChange(
              view === 'entries'
                ? { ledger: view }
                : { ledger: undefined, type: lineTypes.find((type) => type === search.type) },
            )
          }
        />
        <ExportButton
          name={exportFilename(search, keys?.find(({ id }) => id === key)?.name)}
          read={() => api.download('export_ledger', { query })}
        />
        {run ? (
          <Link to="/workflows/runs/$id" params={{ id: run }} search={{}} className={buttonClass()}>
            Open run
          </Link>
        ) : null}
      </CollectionBar>
      {query.q === undefined ? <LedgerTotals filters={query} /> : null}
      <LedgerTypeLegend />
      <LedgerRowsContext value={shared}>
        <CollectionRows collection={collection} state={state} rowProps={rowProps} keepScroll />
      </LedgerRowsContext>
    </section>
  );
}

/** The row of the open entry: its own, or the line that it is folded into. */
function useFindOpen(open: string | undefined): (rows: readonly LedgerRow[]) => string | undefined {
  const entry = useQuery({ ...ledgerEntryQuery(open ?? ''), enabled: open !== undefined }).data;
  const generationId = entry?.generation_id ?? null;
  return useCallback(
    (rows) =>
      open === undefined
        ? undefined
        : rows.find(
            (row) =>
              row.id === open ||
              entryIdOf(row) === open ||
              (isLine(row) && generationId !== null && row.generation_id === generationId),
          )?.id,
    [open, generationId],
  );
}

function LedgerTypeLegend() {
  return (
    <Disclosure summary="Entry types" className="mb-3">
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {LEDGER_TYPES.map((type) => (
          <div key={type} className="contents">
            <dt>
              <Badge tone={LEDGER_TYPE_LABELS[type].tone}>{LEDGER_TYPE_LABELS[type].label}</Badge>
            </dt>
            <dd className="text-ink-2 max-sm:mb-1.5">{LEDGER_TYPE_LABELS[type].sentence}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}

/** Totals of the filtered entries. Renders nothing if the service does not provide them. */
function LedgerTotals({ filters }: { filters: LedgerFilters }) {
  const { data: sums, isError } = useQuery(ledgerSumsQuery(filters));
  if (sums === null || (isError && !sums)) return null;
  if (!sums) return <Skeleton className="mb-3 h-5 w-72 max-w-full" />;
  return (
    <dl aria-label="Totals" className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
      <Total name="Entries">
        <span className="tabular-nums">{formatNumber(sums.count)}</span>
      </Total>
      <Total name="Spent">
        <Money amount_usd={sums.spent_usd} />
      </Total>
      {sums.by_type.map(({ type, amount_usd }) => (
        <Total key={type} name={LEDGER_TYPE_LABELS[type].label}>
          <Money signed amount_usd={amount_usd} />
        </Total>
      ))}
      <Total name="Net change">
        <Money signed amount_usd={sums.amount_usd} />
      </Total>
    </dl>
  );
}

function Total({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="font-medium text-ink">{children}</dd>
    </div>
  );
}
