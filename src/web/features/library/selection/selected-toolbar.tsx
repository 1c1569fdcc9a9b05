import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import type { SelectionState } from '#web/media/library/selection/selection.ts';

/** There is no bulk endpoint for stars. */
const STAR_CONCURRENCY = 4;

interface SelectedToolbarProps {
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
  const listedById = new Map(list.map((medium) => [medium.id, medium]));
  const media = [...selection.media.values()].map((medium) => listedById.get(medium.id) ?? medium);
  const listedCount = media.filter(({ id }) => listedById.has(id)).length;

  const starAll = async (favourite: boolean) => {
    setStarring(true);
    const pending = media.filter((medium) => medium.favourite !== favourite);
    const workers = Array.from({ length: STAR_CONCURRENCY }, async () => {
      // The first error is shown and stops the rest.
      for (let next = pending.shift(); next; next = pending.shift()) if (!(await star(next))) pending.length = 0;
    });
    await Promise.all(workers);
    setStarring(false);
  };
  return (
    <SelectionBar
      media={media}
      hidden={media.length - listedCount}
      more={list.length - listedCount}
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
