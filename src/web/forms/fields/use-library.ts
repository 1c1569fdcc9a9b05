import { useMemo } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import type { MediaKind } from '#contract/task.ts';
import { useMediaList } from '#web/api/queries/media.ts';

export type SelectableMedia = MediaItem | Asset;

export interface MediaPickerList {
  rows: readonly SelectableMedia[];
  isLoading: boolean;
  isStale: boolean;
  problem: unknown;
  hasMore: boolean;
  moreFailed: boolean;
  onNearEnd: () => void;
  loadMore: () => void;
  reload: () => void;
}

export interface MediaPickerFilters {
  q: string;
  origin: MediaItem['origin'] | 'all';
  starred: boolean;
}

export function useLibrary(media: MediaKind, { q, origin, starred }: MediaPickerFilters) {
  const filters = useMemo(
    () => ({
      type: media,
      ...(q ? { q } : {}),
      ...(origin === 'all' ? {} : { origin }),
      ...(starred ? { favourite: 'true' as const } : {}),
    }),
    [media, q, origin, starred],
  );
  return useMediaList(filters);
}
