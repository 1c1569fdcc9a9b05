import type { MediaItem } from '#contract/resources/media.ts';

/** Media that were chosen, in the order they were; they stay chosen while filters change. */
export interface Selection {
  media: ReadonlyMap<string, MediaItem>;
  /** Where a range begins: what was chosen or left last by itself. */
  anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { media: new Map(), anchor: null };

/** Chooses a medium, or leaves it. */
export function toggled({ media }: Selection, medium: MediaItem): Selection {
  const next = new Map(media);
  if (!next.delete(medium.id)) next.set(medium.id, medium);
  return { media: next, anchor: medium.id };
}

/** Chooses all from the anchor to a medium, as they stand in the list; from the medium alone where the anchor is not in it. */
export function extended(selection: Selection, list: readonly MediaItem[], medium: MediaItem): Selection {
  const from = list.findIndex(({ id }) => id === selection.anchor);
  const to = list.findIndex(({ id }) => id === medium.id);
  if (from === -1 || to === -1) return toggled(selection, medium);
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { ...selection, media: new Map([...selection.media, ...range.map((each) => [each.id, each] as const)]) };
}

/** All of a list, besides what was chosen already. */
export const withAll = (selection: Selection, list: readonly MediaItem[]): Selection => ({
  ...selection,
  media: new Map([...selection.media, ...list.map((each) => [each.id, each] as const)]),
});

/** Without those that are gone. */
export const without = ({ media, anchor }: Selection, ids: ReadonlySet<string>): Selection => ({
  media: new Map([...media].filter(([id]) => !ids.has(id))),
  anchor: anchor !== null && ids.has(anchor) ? null : anchor,
});

/** What the media have in all, in bytes. */
export const bytesOf = (media: Iterable<Pick<MediaItem, 'size_bytes'>>): number => {
  let sum = 0;
  for (const { size_bytes } of media) sum += size_bytes;
  return sum;
};
