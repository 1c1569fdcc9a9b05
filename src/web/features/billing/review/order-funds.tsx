import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { RequestEstimate } from '#contract/resources/request.ts';
import { alignMoney } from '#web/api/money.tsx';
import { formatBudgetScope, INTERVAL_ADJECTIVES } from '#web/budgets/scope-name.ts';
import { LineItems } from '#web/collections/line-items.tsx';
import { cx } from '#web/ui/cx.ts';

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
    <LineItems
      columns={['Paid from', 'Left now', 'Left after this']}
      items={rows.map(({ id, name, left_usd, afterUsd }) => ({
        id,
        name,
        amounts: [
          alignMoney(left_usd),
          <span key="after" className={cx('font-medium', afterUsd.startsWith('-') && 'text-bad')}>
            {alignMoney(afterUsd)}
          </span>,
        ],
      }))}
    />
  );
}
