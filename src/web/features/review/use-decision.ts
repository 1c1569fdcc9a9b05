import { useQuery } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Review, ReviewDecision } from '#contract/resources/review.ts';
import { isOverruled, useDecideReview } from '#web/queries/review.ts';
import { waitingQuery } from '#web/queries/waiting.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export interface DecisionProps {
  generation: Generation;
  review: Review;
  onClose: () => void;
  /** Somebody decided otherwise meanwhile. */
  onOverruled: () => void;
  /** Decided; with the next case that waits. */
  onDecided: (next: Generation | undefined) => void;
}

const TITLES = { approve: 'Approved', reject: 'Rejected' } as const satisfies Record<ReviewDecision, string>;

const moneyWords = ({ billing_status, amount_usd }: Review) =>
  billing_status === 'settled' ? `${formatMoney(amount_usd)} was charged.` : 'The reserved money came back.';

/** Sends the decision on a case, and says how it went. */
export function useDecision({ generation, onOverruled, onDecided }: DecisionProps) {
  const { mutateAsync, isPending, error } = useDecideReview();
  const { data: cases = [] } = useQuery(waitingQuery);
  const decide = async (body: BodyInput<'decide_review'>) => {
    const at = cases.findIndex(({ id }) => id === generation.id);
    const next = cases[at + 1] ?? cases.find(({ id }) => id !== generation.id);
    try {
      const answer = await mutateAsync({ generation, body });
      const title = TITLES[body.decision];
      // Deciding the same twice is no conflict; whose decision counts is said all the same.
      if (answer.decision?.note === body.note) showToast({ title, detail: moneyWords(answer), tone: 'good' });
      else
        showToast({
          title: `${title} by ${answer.decision?.decided_by?.name ?? 'somebody else'} before you`,
          detail: `${moneyWords(answer)} Your note was not kept.`,
        });
      onDecided(next);
    } catch (problem) {
      if (isOverruled(problem)) onOverruled();
    }
  };
  return { decide, isPending, problem: error instanceof Error && !isOverruled(error) ? error : null };
}
