import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import type { SelectionState } from '#web/media/library/selection/use-selection.ts';

/** There is no bulk endpoint for stars. */
const STAR_CONCURRENCY = 4;

export interface SelectedToolbarProps {
  state: SelectionState<MediaItem>;
  list: readonly MediaItem[];
  onCompare: (ids: readonly [string, string]) => void;
  onDelete: () => void;
}

export function SelectedToolbar({ state, list, onCompare, onDelete }: SelectedToolbarProps) {
  const { selection, all, leave } = state;
  const archive = useMediaDownload();
  const star = useToggleStar();
  const [starring, setStarring] = useState(false);
  // The selection can hold older versions than the list.
  const known = new Map(list.map((medium) => [medium.id, medium]));
  const media = [...selection.media.values()].map((medium) => known.get(medium.id) ?? medium);
  const shown = media.filter(({ id }) => known.has(id)).length;

  const starAll = async (favourite: boolean) => {
    setStarring(true);
    const waiting = media.filter((medium) => medium.favourite !== favourite);
    const workers = Array.from({ length: STAR_CONCURRENCY }, async () => {
      // The first error is shown and stops the rest.
      for (let next = waiting.shift(); next; next = waiting.shift()) if (!(await star(next))) waiting.length = 0;
    });
    await Promise.all(workers);
    setStarring(false);
  };
  return (
    <SelectionBar
      media={media}
      hidden={media.length - shown}
      more={list.length - shown}
      busy={{ download: archive.isPending, star: starring }}
      onAll={all}
      onClear={leave}
      onStar={(favourite) => void starAll(favourite)}
      onCompare={onCompare}
      onDownload={() => void archive.download(media)}
      onDelete={onDelete}
    />
  );
}
