import { useCallback, useState } from 'react';
import {
  extendSelection,
  EMPTY_SELECTION,
  type Selection,
  toggleSelection,
  removeFromSelection,
  addToSelection,
} from './selection.ts';

/** What is chosen of a list. */
export function useSelection<M extends { id: string }>(list: readonly M[]) {
  const [selection, setSelection] = useState<Selection<M>>(EMPTY_SELECTION);
  /** Choosing was begun, though nothing may be chosen yet. */
  const [begun, setBegun] = useState(false);
  const toggle = useCallback((medium: M) => setSelection((now) => toggleSelection(now, medium)), []);
  const extend = useCallback((medium: M) => setSelection((now) => extendSelection(now, list, medium)), [list]);
  const drop = useCallback((ids: ReadonlySet<string>) => setSelection((now) => removeFromSelection(now, ids)), []);
  return {
    selection,
    selecting: begun || selection.media.size > 0,
    begin: () => setBegun(true),
    toggle,
    extend,
    drop,
    all: () => setSelection((now) => addToSelection(now, list)),
    leave: () => {
      setSelection(EMPTY_SELECTION);
      setBegun(false);
    },
  };
}

export type SelectionState<M extends { id: string }> = ReturnType<typeof useSelection<M>>;
