import { useCallback, useState } from 'react';
import {
  extended,
  NOTHING_SELECTED,
  type Selection,
  toggled,
  without,
  withAll,
} from '#web/library/selection/selection.ts';

/** What is chosen of a list. */
export function useSelection<M extends { id: string }>(list: readonly M[]) {
  const [selection, setSelection] = useState<Selection<M>>(NOTHING_SELECTED);
  /** Choosing was begun, though nothing may be chosen yet. */
  const [begun, setBegun] = useState(false);
  const toggle = useCallback((medium: M) => setSelection((now) => toggled(now, medium)), []);
  const extend = useCallback((medium: M) => setSelection((now) => extended(now, list, medium)), [list]);
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

export type SelectionState<M extends { id: string }> = ReturnType<typeof useSelection<M>>;
