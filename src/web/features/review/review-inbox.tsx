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

/** Generations that need review, oldest first. */
export function ReviewInbox({ openId }: { openId: string | undefined }) {
  const reviews = useQuery(pendingReviewsQuery);
  const navigate = useNavigate();
  const { data: generations } = reviews;
  const problem = queryError(reviews);
  const step = (by: 1 | -1) => {
    if (!generations) return;
    const at = generations.findIndex(({ id }) => id === openId);
    const next = generations[at === -1 ? 0 : at + by];
    if (next) void navigate({ to: '/review/$id', params: { id: next.id }, resetScroll: false });
  };
  useCommands([
    { group: 'Review', label: 'Next review', keys: 'j', hiddenInPalette: true, run: () => step(1) },
    { group: 'Review', label: 'Previous review', keys: 'k', hiddenInPalette: true, run: () => step(-1) },
  ]);
  if (!generations)
    return problem ? (
      <LoadError what="Reviews" error={problem} onRetry={() => void reviews.refetch()} />
    ) : (
      <ReviewInboxSkeleton />
    );
  if (generations.length === 0)
    return (
      <EmptyState icon={<CircleCheck aria-hidden="true" />} title="Nothing to review">
        Generations with an unclear outcome appear here, for example after a lost response from a provider. Their price
        stays reserved until you decide.
      </EmptyState>
    );
  return (
    <ul
      aria-label="Needs review"
      className="divide-y divide-line overflow-hidden rounded-md border border-line bg-surface"
    >
      {generations.map((generation) => (
        <ReviewInboxRow key={generation.id} generation={generation} isOpen={generation.id === openId} />
      ))}
    </ul>
  );
}
