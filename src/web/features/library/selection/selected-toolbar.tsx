import { useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { useSetCover, useUncollect } from '#web/media/library/collections/use-collect.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useMediaDownload } from '#web/media/library/selection/use-media-download.ts';
import type { SelectionState } from '#web/media/library/selection/selection.ts';

const MediaTagsDialog = lazyComponent(
  async () => (await import('#web/forms/tags/media-tag-editor.tsx')).MediaTagsDialog,
);

/** There is no bulk endpoint for stars. */
const STAR_CONCURRENCY = 4;

interface SelectedToolbarProps {
  state: SelectionState<MediaItem>;
  list: readonly MediaItem[];
  onCompare: (ids: readonly [string, string]) => void;
  /** The open one. */
  collection: Collection | undefined;
  onCollect: (media_ids: readonly string[]) => void;
  onDelete: () => void;
}

export function SelectedToolbar({ state, list, collection, onCompare, onCollect, onDelete }: SelectedToolbarProps) {
  const { selection, all, leave, drop } = state;
  const uncollect = useUncollect();
  const setCover = useSetCover();
  const archive = useMediaDownload();
  const star = useToggleStar();
  const [labeling, setLabeling] = useState(false);
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
    <>
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
        onBareDownload={() => void archive.downloadBare(media)}
        onCollect={() => onCollect(media.map(({ id }) => id))}
        onLabel={() => setLabeling(true)}
        collected={
          collection
            ? {
                name: collection.name,
                remove: () => {
                  const ids = media.map(({ id }) => id);
                  void uncollect(collection, ids).then((done) => done && drop(new Set(ids)));
                },
                setCover: () => media[0] && void setCover(collection, media[0].id),
              }
            : null
        }
        onDelete={onDelete}
      />
      {labeling ? <MediaTagsDialog media={media} onClose={() => setLabeling(false)} /> : null}
    </>
  );
}
