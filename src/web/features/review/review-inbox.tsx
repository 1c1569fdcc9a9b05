import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { queryError } from '#web/api/queries/query-error.ts';
import { pendingReviewsQuery } from '#web/api/queries/pending-reviews.ts';
import { useCommands } from '#web/ui/commands.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ReviewInboxRow } from './review-inbox-row.tsx';
import { ReviewInboxSkeleton } from './review-inbox-skeleton.tsx';

/** Generations that need a decision, the oldest first. */
export function ReviewInbox({ openId }: { openId: string | undefined }) {
  const waiting = useQuery(pendingReviewsQuery);
  const navigate = useNavigate();
  const { data: cases } = waiting;
  const problem = queryError(waiting);
  const step = (by: 1 | -1) => {
    if (!cases) return;
    const at = cases.findIndex(({ id }) => id === openId);
    const next = cases[at === -1 ? 0 : at + by];
    if (next) void navigate({ to: '/review/$id', params: { id: next.id }, resetScroll: false });
  };
  useCommands([
    { group: 'Review', label: 'Next', keys: 'j', hiddenInPalette: true, run: () => step(1) },
    { group: 'Review', label: 'Previous', keys: 'k', hiddenInPalette: true, run: () => step(-1) },
  ]);
  if (!cases)
    return problem ? (
      <LoadError what="The list" error={problem} onRetry={() => void waiting.refetch()} />
    ) : (
      <ReviewInboxSkeleton />
    );
  if (cases.length === 0)
    return (
      <EmptyState icon={<CircleCheck aria-hidden="true" />} title="Nothing to review">
        Generations whose outcome is unclear appear here, for instance after a lost response from a provider. Their
        price stays reserved until you decide.
      </EmptyState>
    );
  return (
    <ul
      aria-label="Needs a decision"
      className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
    >
      {cases.map((generation) => (
        <ReviewInboxRow key={generation.id} generation={generation} isOpen={generation.id === openId} />
      ))}
    </ul>
  );
}
