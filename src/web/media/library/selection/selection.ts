interface Selectable {
  id: string;
}

/** Media that were chosen, in the order they were; they stay chosen while filters change. */
export interface Selection<M extends Selectable> {
  media: ReadonlyMap<string, M>;
  /** Where a range begins: what was chosen or left last by itself. */
  anchor: string | null;
}

export const EMPTY_SELECTION: Selection<never> = { media: new Map<string, never>(), anchor: null };

/** Chooses a medium, or leaves it. */
export function toggleSelection<M extends Selectable>({ media }: Selection<M>, medium: M): Selection<M> {
  const next = new Map(media);
  if (!next.delete(medium.id)) next.set(medium.id, medium);
  return { media: next, anchor: medium.id };
}

/** Chooses all from the anchor to a medium, as they stand in the list; from the medium alone where the anchor is not in it. */
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

/** All of a list, besides what was chosen already. */
export const addToSelection = <M extends Selectable>(selection: Selection<M>, list: readonly M[]): Selection<M> => ({
  ...selection,
  media: new Map([...selection.media, ...list.map((each) => [each.id, each] as const)]),
});

/** Without those that are gone. */
export const removeFromSelection = <M extends Selectable>(
  { media, anchor }: Selection<M>,
  ids: ReadonlySet<string>,
): Selection<M> => ({
  media: new Map([...media].filter(([id]) => !ids.has(id))),
  anchor: anchor !== null && ids.has(anchor) ? null : anchor,
});

/** What the media have in all, in bytes. */
export const totalBytes = (media: Iterable<{ size_bytes: number }>): number => {
  let sum = 0;
  for (const { size_bytes } of media) sum += size_bytes;
  return sum;
};
