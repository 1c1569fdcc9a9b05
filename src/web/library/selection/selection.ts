interface Medium {
  id: string;
}

/** Media that were chosen, in the order they were; they stay chosen while filters change. */
export interface Selection<M extends Medium> {
  media: ReadonlyMap<string, M>;
  /** Where a range begins: what was chosen or left last by itself. */
  anchor: string | null;
}

export const NOTHING_SELECTED: Selection<never> = { media: new Map<string, never>(), anchor: null };

/** Chooses a medium, or leaves it. */
export function toggled<M extends Medium>({ media }: Selection<M>, medium: M): Selection<M> {
  const next = new Map(media);
  if (!next.delete(medium.id)) next.set(medium.id, medium);
  return { media: next, anchor: medium.id };
}

/** Chooses all from the anchor to a medium, as they stand in the list; from the medium alone where the anchor is not in it. */
export function extended<M extends Medium>(selection: Selection<M>, list: readonly M[], medium: M): Selection<M> {
  const from = list.findIndex(({ id }) => id === selection.anchor);
  const to = list.findIndex(({ id }) => id === medium.id);
  if (from === -1 || to === -1) return toggled(selection, medium);
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, media: new Map([...selection.media, ...range.map((each) => [each.id, each] as const)]) };
}

/** All of a list, besides what was chosen already. */
export const withAll = <M extends Medium>(selection: Selection<M>, list: readonly M[]): Selection<M> => ({
  ...selection,
  media: new Map([...selection.media, ...list.map((each) => [each.id, each] as const)]),
});

/** Without those that are gone. */
export const without = <M extends Medium>({ media, anchor }: Selection<M>, ids: ReadonlySet<string>): Selection<M> => ({
  media: new Map([...media].filter(([id]) => !ids.has(id))),
  anchor: anchor !== null && ids.has(anchor) ? null : anchor,
});

/** What the media have in all, in bytes. */
export const bytesOf = (media: Iterable<{ size_bytes: number }>): number => {
  let sum = 0;
  for (const { size_bytes } of media) sum += size_bytes;
  return sum;
};
