import { useCallback } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useSetFavourite } from '#web/api/queries/media-mutations.ts';
import { showError } from '#web/ui/overlays/toast-error.ts';

export function useToggleStar() {
  const { mutateAsync } = useSetFavourite();
  return useCallback(
    async ({ id, favourite }: Pick<MediaItem, 'id' | 'favourite'>) => {
      try {
        await mutateAsync({ id, favourite: !favourite });
        return true;
      } catch (error) {
        showError(favourite ? 'Star not removed' : 'Not starred', error);
        return false;
      }
    },
    [mutateAsync],
  );
}
