import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { MediaItem } from '#contract/resources/media.ts';
import { isNotFound } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';

export function ViewerNavigation({
  before,
  after,
  onGo,
}: {
  before: MediaItem | undefined;
  after: MediaItem | undefined;
  onGo: (id: string) => void;
}) {
  const buttonStyle = 'absolute top-1/2 -translate-y-1/2 bg-raised! max-md:hidden';
  return (
    <>
      {before ? (
        <IconButton
          outlined
          label="Previous (←)"
          className={`left-3 ${buttonStyle}`}
          icon={<ChevronLeft aria-hidden="true" className="size-5" />}
          onClick={() => onGo(before.id)}
        />
      ) : null}
      {after ? (
        <IconButton
          outlined
          label="Next (→)"
          className={`right-3 ${buttonStyle}`}
          icon={<ChevronRight aria-hidden="true" className="size-5" />}
          onClick={() => onGo(after.id)}
        />
      ) : null}
    </>
  );
}

export function MediaUnavailable({
  error,
  onRetry,
  onClose,
}: {
  error: unknown;
  onRetry: () => void;
  onClose: () => void;
}) {
  return (
    <div className="flex size-full items-center justify-center p-6">
      {isNotFound(error) ? (
        <EmptyState title="File not found" actions={<Button onClick={onClose}>Back to library</Button>}>
          It may have been deleted or expired, or it belongs to another organization.
        </EmptyState>
      ) : (
        <LoadError what="This file" error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

export function LineageSkeleton() {
  return (
    <Loading label="Loading lineage" className="flex flex-1 items-center justify-center gap-14 p-8">
      {[0, 1, 2].map((at) => (
        <Skeleton key={at} className="h-20 w-52 rounded-md max-md:hidden md:block" />
      ))}
    </Loading>
  );
}
