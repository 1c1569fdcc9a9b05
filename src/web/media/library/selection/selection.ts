import { useCallback, useState } from 'react';

export function useSelection<M extends { id: string }>(list: readonly M[]) {
  const [selection, setSelection] = useState<Selection<M>>(EMPTY_SELECTION);
  /** Selection mode is on, even if nothing is selected yet. */
  const [isStarted, setIsStarted] = useState(false);
  const toggle = useCallback((medium: M) => setSelection((current) => toggleSelection(current, medium)), []);
  const extend = useCallback((medium: M) => setSelection((current) => extendSelection(current, list, medium)), [list]);
  const drop = useCallback(
    (ids: ReadonlySet<string>) => setSelection((current) => removeFromSelection(current, ids)),
    [],
  );
  return {
    selection,
    selecting: isStarted || selection.media.size > 0,
    begin: () => setIsStarted(true),
    toggle,
    extend,
    drop,
    all: () => setSelection((current) => addToSelection(current, list)),
    add: (media: readonly M[]) => setSelection((current) => addToSelection(current, media)),
    leave: () => {
      setSelection(EMPTY_SELECTION);
      setIsStarted(false);
    },
  };
}

export type SelectionState<M extends { id: string }> = ReturnType<typeof useSelection<M>>;

interface Selectable {
  id: string;
}

/** Selected media in the order of selection. They stay selected while filters change. */
export interface Selection<M extends Selectable> {
  media: ReadonlyMap<string, M>;
  anchor: string | null;
}

export const EMPTY_SELECTION: Selection<never> = { media: new Map<string, never>(), anchor: null };

export function toggleSelection<M extends Selectable>({ media }: Selection<M>, medium: M): Selection<M> {
  const next = new Map(media);
  if (!next.delete(medium.id)) next.set(medium.id, medium);
  return { media: next, anchor: medium.id };
}

/** Toggles only the medium if the anchor is not in the list. */
export function extendSelection<M extends Selectable>(
  selection: Selection<M>,
  list: readonly M[],
  medium: M,
): Selection<M> {
  const from = list.findIndex(({ id }) => id === selection.anchor);
  const to = list.findIndex(({ id }) => id === medium.id);
  if (from === -1 || to === -1) return toggleSelection(selection, medium);
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, media: new Map([...selection.media, ...range.map((each) => [each.id, each] as const)]) };
}

export const addToSelection = <M extends Selectable>(selection: Selection<M>, list: readonly M[]): Selection<M> => ({
  ...selection,
  media: new Map([...selection.media, ...list.map((each) => [each.id, each] as const)]),
});

export const removeFromSelection = <M extends Selectable>(
  { media, anchor }: Selection<M>,
  ids: ReadonlySet<string>,
): Selection<M> => ({
  media: new Map([...media].filter(([id]) => !ids.has(id))),
  anchor: anchor !== null && ids.has(anchor) ? null : anchor,
});

export const totalBytes = (media: Iterable<{ size_bytes: number }>): number => {
  let sum = 0;
  for (const { size_bytes } of media) sum += size_bytes;
  return sum;
};
