import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import type { Share } from '#contract/resources/share.ts';

/**
 * The nearest source of a file, of the same kind, that a page shows as its newest version.
 * @returns null if there is none, or the page shows the file already
 */
export function findReplaced(
  { media_ids, versions }: Pick<Share, 'media_ids' | 'versions'>,
  { id, nodes }: Pick<MediaLineage, 'id' | 'nodes'>,
): string | null {
  const own = nodes.find((node) => node.id === id);
  if (own?.kind !== 'media' || media_ids === null || media_ids.includes(id)) return null;
  const sources = nodes
    .filter((node) => node.kind === 'media' && node.type === own.type && node.distance < 0)
    .toSorted((one, other) => other.distance - one.distance);
  const isNewest = (mediaId: string) => versions.every(({ replaces }) => replaces !== mediaId);
  return sources.find((node) => media_ids.includes(node.id) && isNewest(node.id))?.id ?? null;
}
