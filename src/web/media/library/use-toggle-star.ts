import { useCallback } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useSetFavourite } from '#web/api/queries/media-mutations.ts';
import { showToast } from '#web/ui/overlays/toast-store.ts';

export function useToggleStar() {
  const { mutateAsync } = useSetFavourite();
  return useCallback(
    async ({ id, favourite }: Pick<MediaItem, 'id' | 'favourite'>) => {
      try {
        await mutateAsync({ id, favourite: !favourite });
        return true;
      } catch (error) {
        showToast({
          title: favourite ? 'Star not removed' : 'Not starred',
          detail: error instanceof Error ? error.message : undefined,
          tone: 'bad',
        });
        return false;
      }
    },
    [mutateAsync],
  );
}
