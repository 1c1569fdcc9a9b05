import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatLedgerHead } from '#contract/money/ledger.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { statementQuery } from '#web/api/queries/billing.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { type LineItem, LineItems } from '#web/collections/line-items.tsx';
import { toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { toUtcDay } from '#web/ui/controls/days.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/api/money.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import type { LedgerSearch } from '../ledger/ledger-search.ts';
import { LEDGER_TYPE_LABELS } from '../ledger/ledger-type-labels.ts';
import { formatUtcMonth } from '../period.ts';
import { AppliedSpendingFilters, SpendingFilterMenu } from '../spending-filter-menu.tsx';
import { MonthSelect } from './month-select.tsx';
import { addMonths, lastDayOfMonth } from './months.ts';
import { StatementExport } from './statement-export.tsx';
import { StatementPrices } from './statement-prices.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';

/** Offered until the month of the first entry is loaded. */
const DEFAULT_MONTH_COUNT = 24;

export function MonthlyStatement({ search, onChange }: BillingTabProps) {
  const [this_month] = useState(() => toUtcDay(new Date()).slice(0, 7));
  const month = search.month ?? this_month;
  const { by, person, tags } = search;
  const query = omitUndefined({ month, person_id: person, tags: toTagsParameter(tags) });
  const statement = useQuery(statementQuery(query));
  const firstMonth = statement.data?.first_month ?? undefined;
  // Kept while another month loads, so that the list of months does not shrink.
  const [earliest, setEarliest] = useState<string>();
  if (firstMonth !== undefined && firstMonth !== earliest) setEarliest(firstMonth);
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <MonthSelect
          month={month}
          earliest={earliest ?? addMonths(this_month, -DEFAULT_MONTH_COUNT)}
          latest={this_month}
          onChange={(next) => onChange({ month: next })}
        />
        <div className="flex flex-wrap gap-2">
          <SpendingFilterMenu search={search} onChange={onChange} />
          <StatementExport query={query} by={by} onChange={(next) => onChange({ by: next })} />
        </div>
      </div>
      <AppliedSpendingFilters search={search} onChange={onChange} />
      {statement.data ? (
        <Refreshing active={statement.isPlaceholderData}>
          <StatementContent statement={statement.data} filter={{ person, tags }} />
        </Refreshing>
      ) : (
        <LoadingOrError query={statement} what="The statement">
          <Loading label="Loading statement">
            <SkeletonText lines={8} />
          </Loading>
        </LoadingOrError>
      )}
    </div>
  );
}

interface StatementContentProps {
  statement: Statement;
  filter: Pick<LedgerSearch, 'person' | 'tags'>;
}

function StatementContent({ statement, filter }: StatementContentProps) {
  const {
    organization,
    month,
    is_final,
    opening,
    closing,
    by_type,
    spent_usd,
    entry_count,
    head_seq,
    head_hash,
    prices,
  } = statement;
  const period = { from: `${month}-01`, to: lastDayOfMonth(month) };
  // A filter covers charges only: credits belong to nobody.
  const types = by_type.filter(({ count }) => count > 0 || !statement.filter);
  const head = head_hash && head_seq ? { seq: head_seq, hash: head_hash } : null;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 className="flex flex-wrap items-center gap-2 text-md font-semibold">
          <span>
            <bdi>{organization.name}</bdi>, {formatUtcMonth(month)}
          </span>
          {is_final ? null : <Badge>Month to date</Badge>}
        </h2>
        <p className="text-sm text-ink-3">
          <Link
            to="/billing"
            search={{ part: 'ledger', ...period, ...filter }}
            className="text-ink underline underline-offset-2"
          >
            {formatNumber(entry_count)} {entry_count === 1 ? 'entry' : 'entries'}
          </Link>{' '}
          · UTC{statement.filter ? ' · a part of the month’s spending' : ''} ·{' '}
          <Link
            to="/billing"
            search={{ part: 'report', rows: 'person', ...period, ...filter }}
            className="text-ink underline underline-offset-2"
          >
            Break down
          </Link>
        </p>
      </div>
      <LineItems
        columns={['Type', 'Entries', 'Amount']}
        items={[
          ...(opening ? [funds('Available at start', opening.available_usd, true)] : []),
          ...types.map(({ type, amount_usd, count }) => ({
            id: type,
            name: LEDGER_TYPE_LABELS[type].label,
            amounts: [
              <span key="count" className="text-ink-3">
                {formatNumber(count)}
              </span>,
              alignMoney(amount_usd, { signed: true }),
            ],
          })),
          ...(closing
            ? [
                funds('Available at end', closing.available_usd, true),
                funds('Reserved at end', closing.reserved_usd),
                funds('Balance at end', closing.balance_usd),
              ]
            : []),
          funds('Spent (charges minus refunds)', spent_usd, true),
        ]}
      />
      {head_hash ? (
        <p className="flex items-start gap-1 text-xs text-ink-3">
          <span className="min-w-0 wrap-anywhere">
            Checkpoint:{head ? ` entry ${head.seq},` : ''} hash <code className="font-mono">{head_hash}</code>. Save it
            outside this studio to prove later that nothing up to here has changed.
          </span>
          {head ? <CopyButton text={formatLedgerHead(head)} label="Copy checkpoint" /> : null}
        </p>
      ) : null}
      <StatementPrices books={prices} />
    </div>
  );
}

const funds = (name: string, amountUsd: string, isStrong = false): LineItem => ({
  id: name,
  name,
  amounts: ['', alignMoney(amountUsd, {})],
  isStrong,
});
