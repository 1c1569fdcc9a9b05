import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatMediaCount } from '../media-labels.ts';
import { deletionQuery, useDeleteMedia } from '#web/api/queries/media.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Loading, SkeletonText } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { deletionConsequences, blockingGenerationIds, deletionResultMessage } from './deletion-messages.ts';

export interface DeleteMediaDialogProps {
  media: ReadonlyMap<string, Pick<MediaItem, 'type' | 'origin'>>;
  onClose: () => void;
  onDeleted: (ids: ReadonlySet<string>) => void;
}

const UNDO_WARNING = 'This can’t be undone.';

export function DeleteMediaDialog({ media, onClose, onDeleted }: DeleteMediaDialogProps) {
  const [ids] = useState(() => [...media.keys()]);
  const { data, error, refetch } = useQuery(deletionQuery(ids));
  const { mutateAsync, isPending, error: deletionError } = useDeleteMedia();
  const title = `Delete ${formatMediaCount([...media.values()])}?`;

  if (!data)
    return (
      <Dialog open title={title} size="sm" onClose={onClose} footer={<Button onClick={onClose}>Keep</Button>}>
        {error ? (
          <LoadError what="The list of files to delete" error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading label="Checking what will be deleted">
            <SkeletonText lines={3} />
          </Loading>
        )}
      </Dialog>
    );
  const remove = async () => {
    try {
      const result = await mutateAsync(ids);
      const { title: toastTitle, detail } = deletionResultMessage(result);
      showToast({ title: toastTitle, detail, tone: result.deleted.length > 0 ? 'good' : 'neutral' });
      onDeleted(
        new Set([...result.deleted, ...result.kept.filter(({ reason }) => reason === 'not_found')].map(({ id }) => id)),
      );
      onClose();
    } catch {
      // The dialog shows the error.
    }
  };
  const blocking = blockingGenerationIds(data);
  if (data.deleted.length === 0 && data.kept.every(({ reason }) => reason === 'in_use'))
    return (
      <Dialog open title="Files in use" size="sm" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
        <p className="text-ink-2">
          Unfinished work uses {media.size === 1 ? 'this file' : 'these files'} as input. Delete{' '}
          {media.size === 1 ? 'it' : 'them'} when that work is complete, or cancel it first.
        </p>
        <BlockingGenerations ids={blocking} />
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={title}
      description="Review what will be deleted."
      consequences={deletionConsequences(data, media)}
      gravest={data.deleted.length > 0 ? UNDO_WARNING : null}
      cancelLabel="Keep"
      confirmLabel={data.deleted.length > 0 ? 'Delete' : 'Remove from list'}
      variant={data.deleted.length > 0 ? 'danger' : 'primary'}
      busy={isPending}
      error={deletionError}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      {blocking.length > 0 ? <BlockingGenerations ids={blocking} /> : null}
    </ConfirmDialog>
  );
}

function BlockingGenerations({ ids }: { ids: readonly string[] }) {
  return (
    <p className="mt-2 text-sm text-ink-3">
      Used by{' '}
      {ids.slice(0, 3).map((id, at) => (
        <span key={id}>
          {at > 0 ? ', ' : ''}
          <Link to="/generations/$id" params={{ id }} className="text-ink underline underline-offset-2">
            …{id.slice(-6)}
          </Link>
        </span>
      ))}
      {ids.length > 3 ? ` and ${ids.length - 3} more` : ''}.
    </p>
  );
}
