import { formatMoney } from '#contract/money/money.ts';
import { TASKS } from '#contract/catalog.ts';
import type { ApprovalRequest, RequestStatus } from '#contract/resources/request.ts';
import { catalogName } from '#web/api/known-models.ts';
import type { Tone } from '#web/ui/display/badge.tsx';
import { formatBudgetScope } from './scope-name.ts';

/** Formats what is asked for: "Image · ImgModel A 2 for $0.03", "$5.00 more for Ada, this week". */
export function describeRequest(request: ApprovalRequest): string {
  const { amount_usd, order } = request;
  return order
    ? `${describeOrder(order)} for ${order.is_bounded ? '' : 'at least '}${formatMoney(amount_usd)}`
    : describeIncrease(request);
}

function describeIncrease({ amount_usd, budget, permanent }: ApprovalRequest): string {
  if (!budget) return `${formatMoney(amount_usd)} more for a deleted budget`;
  const period = permanent ? `every ${budget.interval}` : `this ${budget.interval}`;
  return `${formatMoney(amount_usd)} more for ${formatBudgetScope(budget)}, ${period}`;
}

function describeOrder({ type, task, model, starter_slug, count }: NonNullable<ApprovalRequest['order']>): string {
  const what = task ? TASKS[task].name : type === 'batch' ? 'Generations' : `Workflow ${starter_slug ?? ''}`;
  const name = model ? `${what} · ${catalogName(model)}` : what;
  if (type === 'batch') return `${count ?? ''} × ${name}`;
  return type.endsWith('_retry') ? `Retry of ${name}` : name;
}

export const REQUEST_STATUS_LABELS = {
  pending: { label: 'Waiting', tone: 'amber' },
  approved: { label: 'Approved', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
  canceled: { label: 'Withdrawn', tone: 'neutral' },
} as const satisfies Record<RequestStatus, { label: string; tone: Tone }>;
