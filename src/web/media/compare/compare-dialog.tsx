import { useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { isModelId } from '#web/api/known-models.ts';
import { useModelName } from '#web/api/model-names.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { mediaTitle } from '#web/media/library/media-labels.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { isNotFound } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { CloseButton } from '#web/ui/close-button.tsx';
import { Modal } from '#web/ui/overlays/modal.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { VideoComparison } from './video-comparison.tsx';
import { FailedFile } from '../failed-file.tsx';
import { checkComparable } from './check-comparable.ts';
import { ImageComparison } from './image-comparison.tsx';
import type { PairViewProps } from './pair-view-props.ts';

interface CompareDialogProps {
  ids: readonly [string, string];
  onSwap: () => void;
  onOpen: (id: string) => void;
  onClose: () => void;
}

export function CompareDialog({ ids, onSwap, onOpen, onClose }: CompareDialogProps) {
  const names = useCatalogNames();
  const [one, other] = [useQuery(mediaQuery(ids[0])), useQuery(mediaQuery(ids[1]))];
  const problem = one.error ?? other.error;
  const pair = one.data && other.data && !isNotFound(problem) ? ([one.data, other.data] as const) : null;
  const incompatibleReason = pair && checkComparable(pair).reason;
  const [failedUrl, setFailedUrl] = useState<string>();
  const failed = pair?.find(({ url }) => url === failedUrl);
  const retry = () => {
    setFailedUrl(undefined);
    void Promise.all([one.refetch(), other.refetch()]);
  };
  return (
    <Modal onDismiss={onClose} aria-label="Compare" className="full-window flex flex-col bg-sunken!">
      <header className="flex min-h-13 flex-none items-center gap-1 border-b border-line bg-canvas px-2">
        <CloseButton onClose={onClose} />
        <h2 tabIndex={-1} className="mr-auto px-1 text-sm font-semibold outline-none">
          Compare
        </h2>
        {pair && !incompatibleReason ? (
          <Button size="sm" icon={<ArrowLeftRight aria-hidden="true" className="size-4" />} onClick={onSwap}>
            Swap
          </Button>
        ) : null}
      </header>
      {failed ? (
        <FailedFile title={mediaTitle(failed, names)} onRetry={retry} />
      ) : pair && !incompatibleReason ? (
        <MediaPairView pair={pair} onOpen={onOpen} onError={setFailedUrl} onDiscarded={onClose} />
      ) : (
        <div className="flex flex-1 items-center justify-center p-6">
          {incompatibleReason ? (
            <EmptyState title="These can’t be compared" actions={<Button onClick={onClose}>Close</Button>}>
              {incompatibleReason}
            </EmptyState>
          ) : isNotFound(problem) ? (
            <EmptyState title="File not found" actions={<Button onClick={onClose}>Close</Button>}>
              One of the files may have been deleted, or it belongs to another organization.
            </EmptyState>
          ) : problem ? (
            <LoadError what="These files" error={problem} onRetry={retry} />
          ) : (
            <Loading label="Loading" className="flex size-full gap-4">
              <Skeleton className="h-full flex-1 rounded-md" />
              <Skeleton className="h-full flex-1 rounded-md" />
            </Loading>
          )}
        </div>
      )}
    </Modal>
  );
}

interface PairProps extends Pick<CompareDialogProps, 'onOpen'>, Pick<PairViewProps, 'pair' | 'onError'> {
  onDiscarded: () => void;
}

function MediaPairView({ pair, onOpen, onError, onDiscarded }: PairProps) {
  const moveToTrash = useMoveToTrash();
  const canChange = useCan('work.create');
  const View = pair[0].type === 'video' ? VideoComparison : ImageComparison;
  const key = pair.map(({ id }) => id).join();
  return (
    <View
      key={key}
      pair={pair}
      onError={onError}
      names={pair.map((medium, at) => (
        <PairName key={medium.id} at={at} medium={medium} onOpen={onOpen}>
          {canChange ? (
            <>
              <Button
                size="sm"
                aria-label={`Keep ${'AB'[at]}`}
                data-tooltip={`Discards ${'BA'[at]}. Undo brings it back.`}
                onClick={() =>
                  void moveToTrash(
                    pair.flatMap(({ id }) => (id === medium.id ? [] : [id])),
                    onDiscarded,
                  )
                }
              >
                Keep
              </Button>
              <IconButton
                size="sm"
                label={`Discard ${'AB'[at]}`}
                icon={<Trash2 aria-hidden="true" className="size-4" />}
                className="bg-raised"
                onClick={() => void moveToTrash([medium.id], onDiscarded)}
              />
            </>
          ) : null}
        </PairName>
      ))}
    />
  );
}

interface PairNameProps {
  at: number;
  medium: MediaItem;
  onOpen: (id: string) => void;
  children: ReactNode;
}

/** The same prompt on two models differs by the model only, so it comes first. */
function PairName({ at, medium, onOpen, children }: PairNameProps) {
  const names = useCatalogNames();
  const nameModel = useModelName();
  const model = medium.generation?.model;
  return (
    <span className="flex max-w-full min-w-0 flex-wrap items-center gap-1">
      <button
        type="button"
        onClick={() => onOpen(medium.id)}
        className="flex max-w-full min-w-0 items-center gap-2 rounded-sm bg-raised px-2 py-1 text-sm text-ink-2 hover:text-ink"
      >
        <span className="font-semibold text-ink">{'AB'[at]}</span>
        <span className="min-w-0 truncate">
          {model && isModelId(model) ? <span className="font-medium text-ink">{nameModel(model)} · </span> : null}
          {mediaTitle(medium, names)}
        </span>
      </button>
      {children}
    </span>
  );
}
