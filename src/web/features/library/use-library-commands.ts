import type { MediaItem } from '#contract/resources/media.ts';
import type { SelectionState } from '#web/media/library/selection/selection.ts';
import type { MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { useListCommands } from '#web/ui/use-list-cursor.ts';

interface LibraryCommandsOptions {
  media: readonly MediaItem[];
  cursor: MediaCursor;
  state: SelectionState<MediaItem>;
  /** null: the role may not. */
  change: {
    star: (medium: MediaItem) => void;
    collect: (media_ids: readonly string[]) => void;
    remove: (media_ids: readonly string[]) => void;
  } | null;
  onSearch: () => void;
}

/** The keys of the library. */
export function useLibraryCommands({ media, cursor, state, change, onSearch }: LibraryCommandsOptions): void {
  const { selection, selecting, toggle } = state;
  const at = media.findIndex(({ id }) => id === cursor.id);
  const current = media[at];
  const chosenIds = () => {
    const ids = [...selection.media.keys()];
    return ids.length > 0 || !current ? ids : [current.id];
  };
  const run = (act: (media_ids: readonly string[]) => void) => () => {
    const ids = chosenIds();
    if (ids.length > 0) act(ids);
  };
  useListCommands({
    group: 'Library',
    item: 'item',
    onStep: (by) => cursor.moveTo((media[at + by] ?? current ?? media[0])?.id),
    commands: [
      { keys: 'x', label: 'Select (also Space)', run: () => current && toggle(current) },
      ...(change
        ? [
            { keys: 'f', label: 'Star', run: () => current && change.star(current) },
            { keys: 'a', label: 'Add the item or the selection to a collection', run: run(change.collect) },
            { keys: 'delete', label: 'Delete the item or the selection', run: run(change.remove) },
          ]
        : []),
      { keys: 'mod+a', label: 'Select all loaded items', run: state.all },
      { keys: '/', label: 'Search', run: onSearch },
      ...(selecting ? [{ keys: 'escape', label: 'Clear the selection', run: state.leave }] : []),
    ],
  });
}
