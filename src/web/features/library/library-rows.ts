import { createContext, type DragEvent } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';

/** What can be done with a row or a tile. The object is stable, so that they are not rendered again. */
export interface MediaActions {
  open: (medium: MediaItem) => void;
  toggle: (medium: MediaItem) => void;
  extend: (medium: MediaItem) => void;
  /** null: the role may not, or the file is in the trash. Then nothing else is made of it either. */
  star: ((medium: MediaItem) => void) | null;
  /** Adds it to a collection; null: the role may not. */
  collect: ((medium: MediaItem) => void) | null;
  /** Adds to what a drag carries. null: it goes to no collection. */
  drag: ((medium: MediaItem, event: DragEvent<HTMLElement>) => void) | null;
  focus: (id: string) => void;
  /** Shows or hides the other files of its run. */
  toggleStack: (medium: MediaItem) => void;
}

interface LibraryRows {
  actions: MediaActions;
  selected: ReadonlyMap<string, unknown>;
  isSelecting: boolean;
  hrefOf: (medium: MediaItem) => string;
  /** Time until removal; null unless it is near. */
  formatRetention: (medium: MediaItem) => string | null;
  /** Files of the run that it stands for; null: it is no stack. */
  stackOf: (medium: MediaItem) => { stackCount: number | null; isStackOpen: boolean };
}

/** What the tiles and cells share beside their file. */
export const LibraryRowsContext = createContext<LibraryRows | null>(null);
