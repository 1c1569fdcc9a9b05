import { useQuery } from '@tanstack/react-query';
import { formatMoney } from '#contract/money/money.ts';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Review, ReviewDecision } from '#contract/resources/review.ts';
import { isAlreadyDecided, useDecideReview, pendingReviewsQuery } from '#web/api/queries/review.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export interface DecisionProps {
  generation: Generation;
  review: Review;
  onClose: () => void;
  /** Called when someone else made the opposite decision first. */
  onConflict: () => void;
  /** Called after the decision with the next generation to review. */
  onDecided: (next: Generation | undefined) => void;
}

const TITLES = { approve: 'Approved', reject: 'Rejected' } as const satisfies Record<ReviewDecision, string>;

const chargeMessage = ({ billing_status, amount_usd }: Review) =>
  billing_status === 'settled'
    ? `${formatMoney(amount_usd)} was charged.`
    : `Nothing was charged; ${formatMoney(amount_usd)} is released.`;

/** Returns a function that sends the decision and shows the outcome. It throws on every error but an earlier decision. */
export function useDecision({ generation, onConflict, onDecided }: DecisionProps) {
  const { mutateAsync } = useDecideReview();
  const { data: pending = [] } = useQuery(pendingReviewsQuery);
  return async (body: BodyInput<'decide_review'>): Promise<void> => {
    const at = pending.findIndex(({ id }) => id === generation.id);
    const next = pending[at + 1] ?? pending.find(({ id }) => id !== generation.id);
    try {
      const review = await mutateAsync({ generation, body });
      const title = TITLES[body.decision];
      // The same decision by two people is not a conflict. The toast names the person whose decision was saved.
      if (review.decision?.note === body.note) showToast({ title, detail: chargeMessage(review), tone: 'good' });
      else
        showToast({
          title: `Already ${title.toLowerCase()} by ${review.decision?.decided_by?.name ?? 'someone else'}`,
          detail: `${chargeMessage(review)} Your reason was not saved.`,
        });
      onDecided(next);
    } catch (error) {
      if (!isAlreadyDecided(error)) throw error;
      onConflict();
    }
  };
}
