import { useCallback, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { extended, NOTHING_SELECTED, toggled, without, withAll } from './selection.ts';

/** What is chosen of a list. */
export function useSelection(list: readonly MediaItem[]) {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  /** Choosing was begun, though nothing may be chosen yet. */
  const [begun, setBegun] = useState(false);
  const toggle = useCallback((medium: MediaItem) => setSelection((now) => toggled(now, medium)), []);
  const extend = useCallback((medium: MediaItem) => setSelection((now) => extended(now, list, medium)), [list]);
  const drop = useCallback((ids: ReadonlySet<string>) => setSelection((now) => without(now, ids)), []);
  return {
    selection,
    selecting: begun || selection.media.size > 0,
    begin: () => setBegun(true),
    toggle,
    extend,
    drop,
    all: () => setSelection((now) => withAll(now, list)),
    leave: () => {
      setSelection(NOTHING_SELECTED);
      setBegun(false);
    },
  };
}

export type SelectionState = ReturnType<typeof useSelection>;
