import { useCallback } from 'react';
import { useChangeCollectionItems, useUpdateCollection } from '#web/api/queries/collections.ts';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { formatFileCount } from '../media-labels.ts';

interface NamedCollection {
  id: string;
  name: string;
}

/** Adds files to a collection and reports it, with the way back. @returns whether it worked */
export function useCollect() {
  const { mutateAsync } = useChangeCollectionItems();
  return useCallback(
    async ({ id, name }: NamedCollection, mediaIds: readonly string[]): Promise<boolean> => {
      try {
        const added = await mutateAsync({ id, action: 'add', mediaIds });
        const undo = async () => {
          try {
            await mutateAsync({ id, action: 'remove', mediaIds: added });
            showToast({ title: `${formatFileCount(added.length)} removed from “${name}”` });
          } catch (error) {
            showError('Not removed', error);
          }
        };
        if (added.length > 0)
          showToast({
            title: `${formatFileCount(added.length)} added to “${name}”`,
            tone: 'good',
            action: { label: 'Undo', onPress: () => void undo() },
          });
        else showToast({ title: `Already in “${name}”` });
        return true;
      } catch (error) {
        showError(`Not added to “${name}”`, error);
        return false;
      }
    },
    [mutateAsync],
  );
}

/** Removes files from a collection and reports it, with the way back. */
export function useUncollect() {
  const { mutateAsync } = useChangeCollectionItems();
  const collect = useCollect();
  return useCallback(
    async (collection: NamedCollection, mediaIds: readonly string[]): Promise<boolean> => {
      try {
        const removed = await mutateAsync({ id: collection.id, action: 'remove', mediaIds });
        showToast({
          title: `${formatFileCount(removed.length)} removed from “${collection.name}”`,
          detail: 'They are still in the library.',
          ...(removed.length > 0 && {
            action: { label: 'Undo', onPress: () => void collect(collection, removed) },
          }),
        });
        return true;
      } catch (error) {
        showError('Not removed', error);
        return false;
      }
    },
    [mutateAsync, collect],
  );
}

/** Makes a file the cover of its collection and reports it. */
export function useSetCover() {
  const { mutateAsync } = useUpdateCollection();
  return useCallback(
    async ({ id, name }: NamedCollection, coverMediaId: string): Promise<void> => {
      try {
        await mutateAsync({ id, cover_media_id: coverMediaId });
        showToast({ title: `Cover of “${name}” changed`, tone: 'good' });
      } catch (error) {
        showError('Cover not changed', error);
      }
    },
    [mutateAsync],
  );
}
