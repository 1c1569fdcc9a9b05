import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { formatMoney } from '#web/ui/money.tsx';

export function describeRequest({ kind, amount_usd, budget, permanent, order }: ApprovalRequest): string {
  const amount = formatMoney(amount_usd);
  if (kind === 'budget') {
    const scope = budget ? (budget.scope_name ?? budget.scope) : 'a deleted budget';
    return `${amount} more for ${scope}, ${permanent ? 'permanently' : `this ${budget?.interval ?? 'interval'}`}`;
  }
  const what = order?.task ? TASKS[order.task].name : (order?.starter_slug ?? 'Order');
  return `${what}${order?.model ? ` · ${MODEL_NAMES[order.model]}` : ''} for ${amount}`;
}
