import type { LineageDirection } from './lineage-directions.ts';

export interface TraversedLineage {
  /** Media and generations by id, each with its distance: see `MediaLineage`. */
  distances: Map<string, number>;
  truncated: boolean;
}

interface Traversal {
  direction: LineageDirection;
  /** Media that were reached last. */
  edge: readonly string[];
}

/**
 * Goes from a medium all ways at once, a generation at a time, until there is nothing more.
 * @param depth generations in a row, each way
 * @param limit of media and generations in all
 */
export async function traverseLineage(
  directions: readonly LineageDirection[],
  media_id: string,
  { depth, limit }: { depth: number; limit: number },
): Promise<TraversedLineage> {
  const distances = new Map([[media_id, 0]]);
  let truncated = false;
  /** Those that are new and that there is room for. */
  const reach = (ids: readonly string[], distance: number): string[] => {
    const fresh = ids.filter((id) => !distances.has(id));
    const taken = fresh.slice(0, limit - distances.size);
    if (taken.length < fresh.length) truncated = true;
    for (const id of taken) distances.set(id, distance);
    return taken;
  };
  // One more than there is room for tells that there is more; known ones take no room.
  const most = () => limit + 1;
  let walks: Traversal[] = directions.map((direction) => ({ direction, edge: [media_id] }));
  for (let level = 1; walks.length > 0; level += 1) {
    const next: Traversal[] = [];
    for (const { direction, edge } of walks) {
      const { sign } = direction;
      const beside = await direction.generations(edge, most());
      if (level > depth) {
        if (beside.some((id) => !distances.has(id))) truncated = true;
        continue;
      }
      const found = reach(beside, sign * (2 * level - 1));
      if (found.length === 0) continue;
      const media = reach(await direction.media(found, most()), sign * 2 * level);
      if (media.length > 0) next.push({ direction, edge: media });
    }
    walks = next;
  }
  return { distances, truncated };
}
