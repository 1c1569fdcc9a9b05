import type { MediaItem } from '#contract/resources/media.ts';

interface CommonLabel {
  label: string;
  /** How many of the files have it. */
  count: number;
}

/** The labels of files, those of most files first. */
export function countLabels(media: readonly Pick<MediaItem, 'labels'>[]): CommonLabel[] {
  const counts = new Map<string, number>();
  for (const { labels } of media) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, count]) => ({ label, count }))
    .toSorted((a, b) => b.count - a.count || (a.label < b.label ? -1 : 1));
}
