import type { RefObject } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import type { MediaCursor } from '#web/media/library/use-media-cursor.ts';
import { type Command, useCommands } from '#web/ui/commands.ts';
import type { TileActions } from './library-tile.tsx';

interface LibraryKeysOptions {
  media: readonly MediaItem[];
  cursor: MediaCursor;
  searchBox: RefObject<HTMLInputElement | null>;
  actions: Pick<TileActions, 'toggle' | 'star'>;
  remove: (medium: MediaItem) => void;
  selectAll: () => void;
  /** Leaves the selection; null where nothing is chosen. */
  clear: (() => void) | null;
}

const group = 'Library';

/** The library by keyboard. The arrow keys move once a medium has the focus; Enter opens it as any link. */
export function useLibraryKeys({
  media,
  cursor,
  searchBox,
  actions,
  remove,
  selectAll,
  clear,
}: LibraryKeysOptions): void {
  const at = media.findIndex(({ id }) => id === cursor.id);
  const current = media[at];
  const command = (keys: string, label: string, run: () => void): Command => ({
    group,
    label,
    keys,
    run,
    hiddenInPalette: true,
  });
  useCommands([
    command('j', 'Next one (arrow keys too)', () => cursor.moveTo(media[at + 1]?.id ?? current?.id)),
    command('k', 'One before', () => cursor.moveTo(media[at - 1]?.id ?? media[0]?.id)),
    command('x', 'Select it (Space too)', () => current && actions.toggle(current)),
    command('f', 'Star it', () => current && actions.star(current)),
    command('delete', 'Delete it, or the selection', () => current && remove(current)),
    command('mod+a', 'Select all that are loaded', selectAll),
    command('/', 'Search and filter', () => searchBox.current?.focus()),
    ...(clear ? [command('escape', 'Leave the selection', clear)] : []),
  ]);
}
