import type { ClosingFinding, FindingCause, FindingKind, SettleAction } from '#contract/resources/closing-finding.ts';
import type { CloseRow } from '#contract/resources/closing.ts';
import { formatMoney } from '#contract/money/money.ts';
import type { Tone } from '#web/ui/display/badge.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { formatUtcMonth } from '../period.ts';

export const KIND_SENTENCES = {
  equal: 'The bill says what we expected.',
  rounded: 'Only rounding differs, below half a cent together.',
  price_differs: 'The bill has another price, discount or quantity than we expected.',
  billed_not_delivered: 'The provider billed work that failed, was canceled or timed out.',
  billed_later: 'The other side is in another month.',
  theirs_only: 'Billed, but not ordered here: by another key, or at the console of the provider.',
  ours_only: 'We expect this cost, and no bill has it yet.',
} as const satisfies Record<FindingKind, string>;

export const ACTIONS = {
  use_new_cost: {
    label: 'Use the new cost',
    sentence: 'Books the difference. Later jobs of the model are expected to cost what was billed.',
  },
  book_cost: { label: 'Book as cost', sentence: 'Books the difference as our cost. Nobody is charged.' },
  write_off: { label: 'Write off', sentence: 'Takes the cost back, because it will not be billed.' },
} as const satisfies Record<SettleAction, { label: string; sentence: string }>;

type Detail = ClosingFinding['detail'];
const beside = (name: string, { ours, theirs }: Detail, format: (amount: string) => string = (amount) => amount) =>
  ours === null || theirs === null ? name : `${name} ${format(ours)}, billed ${format(theirs)}`;

const CAUSES = {
  unit_price: (detail) => beside('Unit price', detail, formatMoney),
  discount: (detail) => (detail.percent === null ? 'Discount' : `Discount of ${detail.percent} %`),
  quantity: (detail) => beside('Quantity', detail),
  repeated: ({ times }) => `Billed ${times === null ? 'repeatedly' : `${formatNumber(times)} times`}`,
  unknown_cost: () => 'Our cost is unknown',
  total: () => 'Total differs',
  failed: () => 'Failed',
  canceled: () => 'Canceled',
  timed_out: () => 'Timed out',
  other_month: ({ month }) => (month === null ? 'In another month' : `In ${formatUtcMonth(month)}`),
  unfinished: () => 'Not finished in this month',
  unknown_request: () => 'Unknown request',
  other_provider: () => 'Ran at another provider',
  no_request: () => 'Names no request',
  tax: () => 'Tax',
  credit: () => 'Credit',
  purchase: () => 'Purchase',
  adjustment: () => 'Adjustment',
  not_billed: () => 'Not billed yet',
} as const satisfies Record<FindingCause, (detail: Detail) => string>;

/** Says what differs; null where nothing does. */
export const describeCause = ({ detail }: Pick<ClosingFinding, 'detail'>): string | null =>
  detail.cause === null ? null : CAUSES[detail.cause](detail);

/** Names what was billed or made. */
export const findingTitle = ({ model, service, request_id, kind }: ClosingFinding): string =>
  model?.name ?? service ?? request_id ?? KIND_SENTENCES[kind];

type FindingState = 'open' | 'settled' | 'none';

export const findingState = ({ due_usd, settled }: Pick<ClosingFinding, 'due_usd' | 'settled'>): FindingState =>
  due_usd !== '0.00' ? 'open' : settled ? 'settled' : 'none';

/** How far a provider's month is. */
export function describeRow({ status, bill_count, open_count }: CloseRow): { label: string; tone: Tone } {
  if (status === 'closed') return { label: 'Closed', tone: 'neutral' };
  if (bill_count === 0) return { label: 'No bill yet', tone: 'neutral' };
  if (open_count > 0) return { label: `${formatNumber(open_count)} open`, tone: 'amber' };
  return { label: 'Settled', tone: 'good' };
}

export const countOf = (count: number, item: string): string =>
  `${formatNumber(count)} ${item}${count === 1 ? '' : 's'}`;
