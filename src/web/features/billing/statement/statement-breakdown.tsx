import { Link } from '@tanstack/react-router';
import type { Statement } from '#contract/resources/audit.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/api/money.tsx';
import type { LedgerSearch } from '../ledger/ledger-search.ts';
import { useSpendingGroups } from '../spending-groups.ts';
import { joinSearch, toLedgerSearch } from '../spending-search.ts';

interface StatementBreakdownProps {
  breakdown: Statement['breakdowns'][number];
  /** Period and filter of the statement. */
  search: LedgerSearch;
}

const cell = 'border-b border-line py-2';

/** What was spent, by one dimension; each row opens its entries in the ledger. */
export function StatementBreakdown({ breakdown: { by, rows }, search }: StatementBreakdownProps) {
  const groups = useSpendingGroups();
  const names = useCatalogNames();
  const label = groups.find(({ value }) => value === by)?.label ?? by;
  return (
    <table className="w-full text-sm">
      <caption className="pb-1 text-left font-medium">Spent by {label.toLowerCase()}</caption>
      <thead className="text-xs text-ink-3">
        <tr>
          <th scope="col" className={`${cell} text-left font-medium`}>
            {label}
          </th>
          <th scope="col" className={`${cell} text-right font-medium`}>
            Charges
          </th>
          <th scope="col" className={`${cell} pl-4 text-right font-medium`}>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 ? (
          <tr>
            <td colSpan={3} className={`${cell} text-ink-3`}>
              Nothing was spent.
            </td>
          </tr>
        ) : null}
        {rows.map(({ id, name, count, amount_usd }, index) => {
          const filter = toLedgerSearch(by, id);
          const text = (id && names.find(id)) || name;
          return (
            // Names and values may repeat.
            <tr key={index}>
              <th scope="row" className={`${cell} text-left font-normal wrap-anywhere`}>
                {filter ? (
                  <Link
                    to="/billing"
                    search={{ part: 'ledger', ...joinSearch(search, filter) }}
                    className="underline-offset-2 hover:underline"
                  >
                    {text}
                  </Link>
                ) : (
                  text
                )}
              </th>
              <td className={`${cell} text-right text-ink-3 tabular-nums`}>{formatNumber(count)}</td>
              <td className={`${cell} pl-4 text-right whitespace-nowrap tabular-nums`}>{alignMoney(amount_usd, {})}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
