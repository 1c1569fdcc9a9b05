import { useCallback, useState } from 'react';
import {
  extendSelection,
  EMPTY_SELECTION,
  type Selection,
  toggleSelection,
  removeFromSelection,
  addToSelection,
} from './selection.ts';

export function useSelection<M extends { id: string }>(list: readonly M[]) {
  const [selection, setSelection] = useState<Selection<M>>(EMPTY_SELECTION);
  /** Selection mode was started; nothing may be selected yet. */
  const [is_started, setIsStarted] = useState(false);
  const toggle = useCallback((medium: M) => setSelection((now) => toggleSelection(now, medium)), []);
  const extend = useCallback((medium: M) => setSelection((now) => extendSelection(now, list, medium)), [list]);
  const drop = useCallback((ids: ReadonlySet<string>) => setSelection((now) => removeFromSelection(now, ids)), []);
  return {
    selection,
    selecting: is_started || selection.media.size > 0,
    begin: () => setIsStarted(true),
    toggle,
    extend,
    drop,
    all: () => setSelection((now) => addToSelection(now, list)),
    leave: () => {
      setSelection(EMPTY_SELECTION);
      setIsStarted(false);
    },
  };
}

export type SelectionState<M extends { id: string }> = ReturnType<typeof useSelection<M>>;
