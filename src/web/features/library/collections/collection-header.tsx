import { Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import { useCanShare } from '#web/api/queries/shares.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionCover } from '#web/media/library/collections/collection-cover.tsx';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { useUpdateCollection, useDeleteCollection } from '#web/api/queries/collections.ts';
import { CollectionName, CollectionNotes } from './collection-texts.tsx';
import { useNavigate } from '@tanstack/react-router';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { openShareDialog } from '#web/forms/shares/open-share-dialog.ts';

/** Name, cover, count and notes of the open collection. */
export function CollectionHeader({ collection }: { collection: Collection }) {
  const canChange = useCan('work.create');
  const { mutateAsync: update } = useUpdateCollection();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const canShare = useCanShare();
  const save = async (change: { name?: string; description?: string }) => {
    await update({ id: collection.id, ...change });
  };
  return (
    <header className="mb-3 flex items-start gap-4">
      <CollectionCover collection={collection} className="size-14 rounded-md max-md:hidden" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <div className="flex min-w-0 flex-wrap items-center gap-x-1 gap-y-1">
          <CollectionName
            name={collection.name}
            editing={renaming}
            onSave={(name) => save({ name })}
            onClose={() => setRenaming(false)}
          />
          {canChange && !renaming ? (
            <>
              <IconButton
                size="sm"
                label="Rename"
                icon={<Pencil aria-hidden="true" className="size-4" />}
                onClick={() => setRenaming(true)}
              />
              {canShare ? (
                <IconButton
                  size="sm"
                  label="Share"
                  icon={<Share2 aria-hidden="true" className="size-4" />}
                  onClick={() => openShareDialog({ collection_id: collection.id }, collection.name)}
                />
              ) : null}
              <IconButton
                size="sm"
                label="Delete collection"
                icon={<Trash2 aria-hidden="true" className="size-4" />}
                onClick={() => setDeleting(true)}
              />
            </>
          ) : null}
          <span className="ml-auto text-sm text-ink-3 tabular-nums">{formatFileCount(collection.media_count)}</span>
        </div>
        <CollectionNotes
          notes={collection.description}
          canChange={canChange}
          onSave={(description) => save({ description })}
        />
      </div>
      {deleting ? <DeleteCollectionDialog collection={collection} onClose={() => setDeleting(false)} /> : null}
    </header>
  );
}

interface DeleteCollectionDialogProps {
  collection: Collection;
  onClose: () => void;
}

function DeleteCollectionDialog({ collection, onClose }: DeleteCollectionDialogProps) {
  const { mutateAsync, isPending, error } = useDeleteCollection();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      await mutateAsync(collection.id);
      onClose();
      showToast({ title: `“${collection.name}” deleted`, detail: 'Its files are still in the library.' });
      await navigate({ to: '/library', search: {}, replace: true });
    } catch {
      // The dialog shows the error.
    }
  };
  return (
    <ConfirmDialog
      title="Delete this collection?"
      description={`“${collection.name}”`}
      consequences={['Its files stay in the library.', 'Its name, notes and order are deleted, for everyone.']}
      cancelLabel="Keep"
      confirmLabel="Delete collection"
      variant="danger"
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => void remove()}
    />
  );
}
