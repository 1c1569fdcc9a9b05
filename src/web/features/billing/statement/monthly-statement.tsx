import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatLedgerHead } from '#contract/ledger.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { api } from '#web/api/api.ts';
import { queryError } from '#web/api/api-errors.ts';
import { statementQuery } from '#web/api/queries/billing.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { toUtcDay } from '#web/ui/days.ts';
import { Field } from '#web/ui/field.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/api/money.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Select } from '#web/ui/select.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import type { LedgerSearch } from '../ledger/ledger-search.ts';
import { LEDGER_TYPE_LABELS } from '../ledger/ledger-type-labels.ts';
import { formatUtcMonth } from '../period.ts';
import { AppliedSpendingFilters, SpendingFilterMenu } from '../spending-filter-menu.tsx';
import { useSpendingGroups } from '../spending-groups.ts';
import { lastDayOfMonth, MonthSelect } from './month-select.tsx';
import { addMonths } from './months.ts';
import { StatementBreakdown } from './statement-breakdown.tsx';
import { StatementPrices } from './statement-prices.tsx';
import { Refreshing } from '#web/ui/refreshing.tsx';

const NO_GROUP = '';

/** Offered until the month of the first entry is loaded. */
const DEFAULT_MONTH_COUNT = 24;

export function MonthlyStatement({ search, onChange }: BillingTabProps) {
  const [this_month] = useState(() => toUtcDay(new Date()).slice(0, 7));
  const month = search.month ?? this_month;
  const { by, person, tags } = search;
  const query = omitUndefined({ month, by, person_id: person, tags: toTagsParameter(tags) });
  const statement = useQuery(statementQuery(query));
  const groups = useSpendingGroups();
  const filename = ['statement', month, by?.replace(':', '-')].filter(Boolean).join(' ');
  const problem = queryError(statement);
  const first_month = statement.data?.first_month ?? undefined;
  // Kept while another month loads, so that the list of months does not shrink.
  const [earliest, setEarliest] = useState<string>();
  if (first_month !== undefined && first_month !== earliest) setEarliest(first_month);
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
          <ExportButton name={`${filename}.csv`} read={() => api.download('export_statement', { query })} />
          <ExportButton
            label="Export PDF"
            name={`${filename}.pdf`}
            read={() => api.download('print_statement', { query })}
          />
        </div>
      </div>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Field label="Break down by" className="w-44">
          <Select
            value={by ?? NO_GROUP}
            options={[{ value: NO_GROUP, label: 'Nothing' }, ...groups]}
            onChange={(next) => onChange({ by: next === NO_GROUP ? undefined : next })}
          />
        </Field>
        <SpendingFilterMenu search={search} onChange={onChange} />
      </div>
      <AppliedSpendingFilters search={search} onChange={onChange} />
      {statement.data ? (
        <Refreshing active={statement.isPlaceholderData}>
          <StatementContent statement={statement.data} filter={{ person, tags }} />
        </Refreshing>
      ) : problem ? (
        <LoadError what="The statement" error={problem} onRetry={() => void statement.refetch()} />
      ) : (
        <Loading label="Loading statement">
          <SkeletonText lines={8} />
        </Loading>
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
    breakdowns,
    prices,
  } = statement;
  const period = { from: `${month}-01`, to: lastDayOfMonth(month) };
  // A filter covers charges only: credits belong to nobody.
  const types = by_type.filter(({ count }) => count > 0 || !statement.filter);
  const head = head_hash && head_seq ? { seq: head_seq, hash: head_hash } : null;
  const row = 'border-b border-line py-2';
  return (
    <div className="flex flex-col gap-5">
      <div>
        <h2 className="flex flex-wrap items-center gap-2 text-md font-semibold">
          <bdi>{organization.name}</bdi>, {formatUtcMonth(month)} {is_final ? null : <Badge>Month to date</Badge>}
        </h2>
        <p className="text-sm text-ink-3">
          <Link
            to="/billing"
            search={{ part: 'ledger', ...period, ...filter }}
            className="text-ink underline underline-offset-2"
          >
            {formatNumber(entry_count)} {entry_count === 1 ? 'entry' : 'entries'}
          </Link>{' '}
          · UTC{statement.filter ? ' · a part of the month’s spending' : ''}
        </p>
      </div>
      <table className="w-full text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            <th scope="col" className={`${row} text-left font-medium`}>
              Type
            </th>
            <th scope="col" className={`${row} text-right font-medium`}>
              Entries
            </th>
            <th scope="col" className={`${row} pl-4 text-right font-medium`}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {opening ? <StatementLine name="Available at start" amount_usd={opening.available_usd} strong /> : null}
          {types.map(({ type, amount_usd, count }) => (
            <StatementLine key={type} name={LEDGER_TYPE_LABELS[type].label} amount_usd={amount_usd} count={count} />
          ))}
          {closing ? (
            <>
              <StatementLine name="Available at end" amount_usd={closing.available_usd} strong />
              <StatementLine name="Reserved at end" amount_usd={closing.reserved_usd} />
              <StatementLine name="Balance at end" amount_usd={closing.balance_usd} />
            </>
          ) : null}
          <StatementLine name="Spent (charges minus refunds)" amount_usd={spent_usd} strong />
        </tbody>
      </table>
      {breakdowns.map((breakdown) => (
        <StatementBreakdown key={breakdown.by} breakdown={breakdown} search={{ ...period, ...filter }} />
      ))}
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

interface StatementLineProps {
  name: string;
  amount_usd: string;
  count?: number;
  strong?: boolean;
}

function StatementLine({ name, amount_usd, count, strong }: StatementLineProps) {
  const cell = `border-b border-line py-2 ${strong ? 'font-medium' : ''}`;
  return (
    <tr>
      <th scope="row" className={`${cell} text-left ${strong ? '' : 'font-normal'}`}>
        {name}
      </th>
      <td className={`${cell} text-right text-ink-3 tabular-nums`}>
        {count === undefined ? null : formatNumber(count)}
      </td>
      <td className={`${cell} pl-4 text-right whitespace-nowrap tabular-nums`}>
        {alignMoney(amount_usd, { signed: count !== undefined })}
      </td>
    </tr>
  );
}
