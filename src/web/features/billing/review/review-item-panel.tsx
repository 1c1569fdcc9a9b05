import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { workName } from '#web/forms/inputs/describe-input.ts';
import { generationQuery } from '#web/api/queries/generations.ts';
import { isNotFound, queryError } from '#web/api/api-errors.ts';
import { reviewQuery } from '#web/api/queries/review.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { CopyAddressButton } from '#web/ui/controls/copy-button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { SidePanel, SidePanelHeader } from '#web/ui/side-panel.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { ReviewItem } from './review-item.tsx';
import { Loading, Skeleton, SkeletonText } from '#web/ui/display/skeleton.tsx';

export function ReviewItemPanel() {
  const { id = '' } = useParams({ strict: false });
  return (
    <SidePanel key={id} label="Open review">
      <ReviewItemContent id={id} />
    </SidePanel>
  );
}

function ReviewItemContent({ id }: { id: string }) {
  const names = useCatalogNames();
  const navigate = useNavigate();
  const generationQueryResult = useQuery(generationQuery(id));
  const reviewQueryResult = useQuery(reviewQuery(id));
  const generation = generationQueryResult.data;
  const review = reviewQueryResult.data;
  const close = () => void navigate({ to: '/review', resetScroll: false });
  const problem = queryError(generationQueryResult) ?? queryError(reviewQueryResult);
  const retry = () => void Promise.all([generationQueryResult.refetch(), reviewQueryResult.refetch()]);
  return (
    <>
      <SidePanelHeader
        title={generation ? workName(generation, names) : 'Review'}
        badge={generation ? <StatusBadge status={generation.status} progress={generation.progress} /> : null}
        actions={<CopyAddressButton path={`/review/${id}`} />}
        onClose={close}
      />
      {generation && review ? (
        <ReviewItem generation={generation} review={review} />
      ) : (
        <div className="min-w-0 px-4 pt-4 pb-10 md:px-6">
          {isNotFound(generationQueryResult.error) ? (
            <EmptyState title="Generation not found" actions={<Button onClick={close}>Back to reviews</Button>}>
              The link may be wrong, or it belongs to another organization.
            </EmptyState>
          ) : isNotFound(reviewQueryResult.error) ? (
            <EmptyState
              title="No review for this generation"
              actions={
                <Link to="/generations/$id" params={{ id }} className={buttonClass()}>
                  Open generation
                </Link>
              }
            >
              It was completed without a review.
            </EmptyState>
          ) : problem ? (
            <LoadError what="This review" error={problem} onRetry={retry} />
          ) : (
            <ReviewItemSkeleton />
          )}
        </div>
      )}
    </>
  );
}

function ReviewItemSkeleton() {
  return (
    <Loading label="Loading review">
      <Skeleton className="h-14 w-full rounded-md" />
      <Skeleton className="mt-5 aspect-video max-h-[40dvh] w-full rounded-md" />
      <span className="mt-7 block">
        <SkeletonText lines={3} />
      </span>
      <Skeleton className="mt-7 h-24 w-full" />
    </Loading>
  );
}
