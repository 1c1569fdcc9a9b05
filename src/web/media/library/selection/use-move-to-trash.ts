import { useCallback, useRef } from 'react';
import { useDeleteMedia, useRestoreMedia } from '#web/api/queries/media-mutations.ts';
import { showError } from '#web/ui/overlays/toast-error.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { formatFileCount } from '../media-labels.ts';
import { deletionResultMessage } from './deletion-messages.ts';

/** Long enough to notice a mistake. The trash has the files for 30 days. */
const UNDO_MS = 12_000;

/**
 * Moves files to the trash, with a message that offers to undo it.
 * @returns a function whose `onMoved` receives the ids that are gone from the library
 */
export function useMoveToTrash() {
  const { mutateAsync: deleteMedia } = useDeleteMedia();
  const { mutateAsync: restoreMedia } = useRestoreMedia();
  const isMoving = useRef(false);
  return useCallback(
    async (ids: readonly string[], onMoved: (gone: ReadonlySet<string>) => void) => {
      // A second press comes before the first has an effect on the list.
      if (isMoving.current || ids.length === 0) return;
      isMoving.current = true;
      try {
        const result = await deleteMedia({ ids, toTrash: true });
        const moved = result.deleted.map(({ id }) => id);
        const missing = result.kept.filter(({ reason }) => reason === 'not_found').map(({ id }) => id);
        onMoved(new Set([...moved, ...missing]));
        showToast({
          ...deletionResultMessage(result, true),
          tone: moved.length > 0 ? 'good' : 'neutral',
          durationMs: UNDO_MS,
          ...(moved.length > 0 ? { action: { label: 'Undo', onPress: () => void undo(moved, restoreMedia) } } : {}),
        });
      } catch (error) {
        showError('The files could not be deleted', error);
      } finally {
        isMoving.current = false;
      }
    },
    [deleteMedia, restoreMedia],
  );
}

async function undo(ids: readonly string[], restoreMedia: (ids: readonly string[]) => Promise<string[]>) {
  try {
    const restored = await restoreMedia(ids);
    if (restored.length > 0) showToast({ title: `${formatFileCount(restored.length)} restored`, tone: 'good' });
    else showToast({ title: 'Nothing was restored', detail: 'The files are no longer in the trash.' });
  } catch (error) {
    showToast({ title: 'Not restored', detail: `${messageOf(error)} The files are still in the trash.`, tone: 'bad' });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'The service could not be reached.';
