import { Pencil, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import { useCanShare } from '#web/api/queries/shares.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { CollectionCover } from '#web/media/library/collections/collection-cover.tsx';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { useUpdateCollection } from '#web/api/queries/collections.ts';
import { DeleteCollectionDialog } from './delete-collection-dialog.tsx';
import { CollectionName, CollectionNotes } from './collection-texts.tsx';

const ShareDialog = lazyComponent(async () => (await import('../shares/share-dialog.tsx')).ShareDialog);

/** Name, cover, count and notes of the open collection. */
export function CollectionHeader({ collection }: { collection: Collection }) {
  const canChange = useCan('work.create');
  const { mutateAsync: update } = useUpdateCollection();
  const [renaming, setRenaming] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [sharing, setSharing] = useState(false);
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
                  onClick={() => setSharing(true)}
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
      {sharing ? (
        <ShareDialog
          target={{ collection_id: collection.id }}
          title={collection.name}
          onClose={() => setSharing(false)}
        />
      ) : null}
      {deleting ? <DeleteCollectionDialog collection={collection} onClose={() => setDeleting(false)} /> : null}
    </header>
  );
}
