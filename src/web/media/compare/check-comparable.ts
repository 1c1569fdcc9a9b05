import type { MediaItem } from '#contract/resources/media.ts';

/** Returns the two files to compare, or the reason why they can't be compared. */
export function checkComparable(
  media: readonly Pick<MediaItem, 'id' | 'type'>[],
): { ids: readonly [string, string]; reason: null } | { ids: null; reason: string } {
  const [one, other] = media;
  if (!one || !other || media.length > 2) return { ids: null, reason: 'Select two files to compare.' };
  if (one.type === 'audio' || other.type === 'audio') return { ids: null, reason: 'Audio can’t be compared.' };
  if (one.type !== other.type) return { ids: null, reason: 'Select two images or two videos.' };
  return { ids: [one.id, other.id], reason: null };
}
