import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatLedgerHead } from '#contract/ledger.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { api } from '#web/api/api.ts';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { statementQuery } from '#web/api/queries/audit.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { toUtcDay } from '#web/ui/days.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/ui/money.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { ExportButton } from '../export-button.tsx';
import { LEDGER_TYPE_LABELS } from '../ledger/ledger-type-labels.ts';
import { formatUtcMonth } from '../period.ts';
import { AuditPack } from './audit-pack.tsx';
import { lastDayOfMonth, MonthSelect } from './month-select.tsx';
import { addMonths } from './months.ts';
import { StatementPrices } from './statement-prices.tsx';

/** Offered until the month of the first entry is loaded. */
const DEFAULT_MONTH_COUNT = 24;

export function MonthlyStatement({ search, onChange }: BillingTabProps) {
  const [this_month] = useState(() => toUtcDay(new Date()).slice(0, 7));
  const month = search.month ?? this_month;
  const statement = useQuery(statementQuery(month));
  const problem = queryError(statement);
  const mayVerify = useCan('ledger.verify');
  const first_month = statement.data?.first_month ?? undefined;
  // Kept while another month loads, so that the list of months does not shrink.
  const [earliest, setEarliest] = useState<string>();
  if (first_month !== undefined && first_month !== earliest) setEarliest(first_month);
  if (isMissingFeature(problem))
    return <EmptyState title="Statements are not available">The ledger lists every entry.</EmptyState>;
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <MonthSelect
          month={month}
          earliest={earliest ?? addMonths(this_month, -DEFAULT_MONTH_COUNT)}
          latest={this_month}
          onChange={(next) => onChange({ month: next })}
        />
        <ExportButton
          name={`statement ${month}.csv`}
          read={() => api.download('export_statement', { query: { month } })}
        />
      </div>
      {statement.data ? (
        <>
          <StatementContent statement={statement.data} />
          {mayVerify ? <AuditPack month={month} earliest={earliest ?? month} latest={this_month} /> : null}
        </>
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

function StatementContent({ statement }: { statement: Statement }) {
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
  const head = head_hash && head_seq ? { seq: head_seq, hash: head_hash } : null;
  const row = 'border-b border-line py-2';
  return (
    <>
      <div>
        <h2 className="flex flex-wrap items-center gap-2 text-md font-semibold">
          {organization.name}, {formatUtcMonth(month)} {is_final ? null : <Badge>Month to date</Badge>}
        </h2>
        <p className="text-sm text-ink-3">
          <Link
            to="/billing"
            search={{ part: 'ledger', from: `${month}-01`, to: lastDayOfMonth(month) }}
            className="text-ink underline underline-offset-2"
          >
            {formatNumber(entry_count)} {entry_count === 1 ? 'entry' : 'entries'}
          </Link>{' '}
          · UTC
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
          <StatementLine name="Available at start" amount_usd={opening.available_usd} strong />
          {by_type.map(({ type, amount_usd, count }) => (
            <StatementLine key={type} name={LEDGER_TYPE_LABELS[type].label} amount_usd={amount_usd} count={count} />
          ))}
          <StatementLine name="Available at end" amount_usd={closing.available_usd} strong />
          <StatementLine name="Reserved at end" amount_usd={closing.reserved_usd} />
          <StatementLine name="Balance at end" amount_usd={closing.balance_usd} />
          <StatementLine name="Spent (charges minus refunds)" amount_usd={spent_usd} strong />
        </tbody>
      </table>
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
    </>
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
