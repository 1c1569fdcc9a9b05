import { CircleCheck, CircleX } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import type { Review, ReviewDecision } from '#contract/resources/review.ts';
import { ExactTime } from '#web/ui/display/relative-time.tsx';

const DECISION_STYLES = {
  approve: { label: 'Approved', icon: <CircleCheck aria-hidden="true" className="text-good" /> },
  reject: { label: 'Rejected', icon: <CircleX aria-hidden="true" className="text-bad" /> },
} as const satisfies Record<ReviewDecision, object>;

const chargeSentence = ({ billing_status, amount_usd }: Review) =>
  billing_status === 'settled'
    ? `${formatMoney(amount_usd)} was charged.`
    : 'The reservation was released. Nothing was charged.';

/** Shows who decided a review, how, when, and why; nothing while it is open. */
export function DecisionNote({ review }: { review: Review }) {
  if (!review.decision) return null;
  const { decision, decided_by, decided_at, note } = review.decision;
  const { label, icon } = DECISION_STYLES[decision];
  return (
    <div className="flex gap-2.5 rounded-md border border-line bg-surface px-3 py-2.5 text-sm">
      <span className="flex h-5 items-center [&>svg]:size-4">{icon}</span>
      <div className="min-w-0">
        <p>
          <span className="font-semibold">{label}</span> by{' '}
          <bdi>{decided_by ? decided_by.name : 'an operator, from the command line'}</bdi>
          {', '}
          <ExactTime at={decided_at} className="text-ink-2" />
        </p>
        <p className="mt-1 whitespace-pre-wrap wrap-anywhere text-ink-2">{note}</p>
        <p className="mt-1 text-ink-3">{chargeSentence(review)}</p>
      </div>
    </div>
  );
}
