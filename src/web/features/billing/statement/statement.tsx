import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Statement as Account } from '#contract/resources/audit.ts';
import { api } from '#web/api.ts';
import { isMissingFeature } from '#web/api-errors.ts';
import { PER_UNIT } from '#web/forms/price-lines.ts';
import { statementQuery } from '#web/queries/audit.ts';
import { problemOf } from '#web/queries/problem-of.ts';
import { LoadError } from '#web/shell/load-error.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { utcDay } from '#web/ui/days.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/ui/money.tsx';
import { ExactTime } from '#web/ui/relative-time.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import type { PartProps } from '../billing-search.ts';
import { ExportButton } from '../export-button.tsx';
import { ENTRY_WORDS } from '../ledger/entry-words.ts';
import { monthWords } from '../period.ts';
import { lastDayOf, MonthSelect } from './month-select.tsx';

/** A month's account: what there was, what moved, what was left, and the prices in force. */
export function Statement({ search, onChange }: PartProps) {
  const [this_month] = useState(() => utcDay(new Date()).slice(0, 7));
  const month = search.month ?? this_month;
  const reading = useQuery(statementQuery(month));
  const problem = problemOf(reading);
  if (isMissingFeature(problem))
    return <EmptyState title="This service gives no statements">The ledger has every entry all the same.</EmptyState>;
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <MonthSelect month={month} latest={this_month} onChange={(next) => onChange({ month: next })} />
        <ExportButton name={`statement ${month}.csv`} read={() => api.file('export_statement', { query: { month } })} />
      </div>
      {reading.data ? (
        <Loaded account={reading.data} />
      ) : problem ? (
        <LoadError what="The statement" error={problem} onRetry={() => void reading.refetch()} />
      ) : (
        <Loading label="Loading the statement">
          <SkeletonText lines={8} />
        </Loading>
      )}
    </div>
  );
}

function Loaded({ account }: { account: Account }) {
  const { organization, month, is_final, opening, closing, by_type, spent_usd, entry_count, head_hash, prices } =
    account;
  const row = 'border-b border-line py-2';
  return (
    <>
      <div>
        <h2 className="flex flex-wrap items-center gap-2 text-md font-semibold">
          {organization.name}, {monthWords(month)} {is_final ? null : <Badge>So far</Badge>}
        </h2>
        <p className="text-sm text-ink-3">
          <Link
            to="/billing"
            search={{ part: 'ledger', from: `${month}-01`, to: lastDayOf(month) }}
            className="text-ink underline underline-offset-2"
          >
            {formatNumber(entry_count)} {entry_count === 1 ? 'entry' : 'entries'}
          </Link>
          , days in UTC.
        </p>
      </div>
      <table className="w-full text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            <th scope="col" className={`${row} text-left font-medium`}>
              What
            </th>
            <th scope="col" className={`${row} text-right font-medium`}>
              Entries
            </th>
            <th scope="col" className={`${row} text-right font-medium`}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          <Line name="Available at the start" amount_usd={opening.available_usd} strong />
          {by_type.map(({ type, amount_usd, count }) => (
            <Line key={type} name={ENTRY_WORDS[type].label} amount_usd={amount_usd} count={count} />
          ))}
          <Line name="Available at the end" amount_usd={closing.available_usd} strong />
          <Line name="Reserved at the end" amount_usd={closing.reserved_usd} />
          <Line name="Balance at the end" amount_usd={closing.balance_usd} />
          <Line name="Spent: charges less refunds" amount_usd={spent_usd} strong />
        </tbody>
      </table>
      {head_hash ? (
        <p className="text-xs wrap-anywhere text-ink-3">
          Fingerprint of the last entry: <code className="font-mono">{head_hash}</code>
        </p>
      ) : null}
      {prices.map(({ since, data }) => (
        <Disclosure
          key={since ?? 'first'}
          summary={
            since ? (
              <>
                Prices since <ExactTime at={since} />
              </>
            ) : (
              'Prices in force'
            )
          }
        >
          <table className="w-full text-sm">
            <tbody>
              {data.map(({ task, model, unit, unit_price_usd, minimum_usd }) => (
                <tr key={`${task}${model}`}>
                  <th scope="row" className={`${row} text-left font-normal`}>
                    {model ? MODEL_NAMES[model] : TASKS[task].name}
                    {model ? <span className="block text-xs text-ink-3">{TASKS[task].name}</span> : null}
                  </th>
                  <td className={`${row} text-right`}>
                    <Money amount_usd={unit_price_usd} /> {PER_UNIT[unit]}
                    {minimum_usd === unit_price_usd ? null : (
                      <span className="block text-xs text-ink-3">
                        at least <Money amount_usd={minimum_usd} />
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Disclosure>
      ))}
    </>
  );
}

interface LineProps {
  name: string;
  amount_usd: string;
  count?: number;
  strong?: boolean;
}

function Line({ name, amount_usd, count, strong }: LineProps) {
  const cell = `border-b border-line py-2 ${strong ? 'font-medium' : ''}`;
  return (
    <tr>
      <th scope="row" className={`${cell} text-left ${strong ? '' : 'font-normal'}`}>
        {name}
      </th>
      <td className={`${cell} text-right text-ink-3 tabular-nums`}>
        {count === undefined ? null : formatNumber(count)}
      </td>
      <td className={`${cell} text-right`}>
        <Money signed={count !== undefined} amount_usd={amount_usd} />
      </td>
    </tr>
  );
}
