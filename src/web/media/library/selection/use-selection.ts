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
  /** Selection mode is on, even if nothing is selected yet. */
  const [is_started, setIsStarted] = useState(false);
  const toggle = useCallback((medium: M) => setSelection((current) => toggleSelection(current, medium)), []);
  const extend = useCallback((medium: M) => setSelection((current) => extendSelection(current, list, medium)), [list]);
  const drop = useCallback(
    (ids: ReadonlySet<string>) => setSelection((current) => removeFromSelection(current, ids)),
    [],
  );
  return {
    selection,
    selecting: is_started || selection.media.size > 0,
    begin: () => setIsStarted(true),
    toggle,
    extend,
    drop,
    all: () => setSelection((current) => addToSelection(current, list)),
    leave: () => {
      setSelection(EMPTY_SELECTION);
      setIsStarted(false);
    },
  };
}

export type SelectionState<M extends { id: string }> = ReturnType<typeof useSelection<M>>;
