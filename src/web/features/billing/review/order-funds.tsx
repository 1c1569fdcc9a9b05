import { formatUsd, parseUsd } from '#contract/money.ts';
import type { RequestEstimate } from '#contract/resources/request.ts';
import { alignMoney } from '#web/api/money.tsx';
import { formatBudgetScope, INTERVAL_ADJECTIVES } from '#web/budgets/scope-name.ts';
import { cx } from '#web/ui/cx.ts';

const cell = 'border-b border-line py-1.5';

/** The funds and budgets that an order counts towards, before and after it. */
export function OrderFunds({ amount_usd, available_usd, budgets = [] }: RequestEstimate) {
  if (amount_usd === null || available_usd === undefined) return null;
  const rows = [
    {
      id: '',
      name: 'Funds of everybody',
      left_usd: available_usd,
      afterUsd: formatUsd(parseUsd(available_usd) - parseUsd(amount_usd)),
    },
    ...budgets.map(({ budget, left_after_usd }) => ({
      id: budget.id,
      name: `${formatBudgetScope(budget)}, ${INTERVAL_ADJECTIVES[budget.interval].toLowerCase()} budget`,
      left_usd: budget.left_usd,
      afterUsd: left_after_usd,
    })),
  ];
  return (
    <table className="w-full text-sm tabular-nums">
      <thead className="text-xs text-ink-3">
        <tr>
          <th scope="col" className={`${cell} text-left font-medium`}>
            Paid from
          </th>
          <th scope="col" className={`${cell} pl-4 text-right font-medium`}>
            Left now
          </th>
          <th scope="col" className={`${cell} pl-4 text-right font-medium`}>
            Left after this
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, left_usd, afterUsd }) => (
          <tr key={id}>
            <th scope="row" className={`${cell} text-left font-normal wrap-anywhere`}>
              {name}
            </th>
            <td className={`${cell} pl-4 text-right whitespace-nowrap`}>{alignMoney(left_usd)}</td>
            <td
              className={cx(
                `${cell} pl-4 text-right font-medium whitespace-nowrap`,
                afterUsd.startsWith('-') && 'text-bad',
              )}
            >
              {alignMoney(afterUsd)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
