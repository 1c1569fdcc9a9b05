import type { LineageDirection } from './lineage-directions.ts';

export interface TraversedLineage {
  /** Media and generations by id, each with its distance: see `MediaLineage`. */
  distances: Map<string, number>;
  truncated: boolean;
}

interface Traversal {
  direction: LineageDirection;
  /** The media reached in the last step. */
  frontier: readonly string[];
}

/**
 * Traverses the lineage of a medium in all directions at once, one generation per step.
 * @param depth maximum number of generations in a row in each direction
 * @param limit maximum number of nodes
 */
export async function traverseLineage(
  directions: readonly LineageDirection[],
  media_id: string,
  { depth, limit }: { depth: number; limit: number },
): Promise<TraversedLineage> {
  const distances = new Map([[media_id, 0]]);
  let truncated = false;
  /** Adds new nodes up to the limit and returns them. */
  const addNodes = (ids: readonly string[], distance: number): string[] => {
    const fresh = ids.filter((id) => !distances.has(id));
    const added = fresh.slice(0, limit - distances.size);
    if (added.length < fresh.length) truncated = true;
    for (const id of added) distances.set(id, distance);
    return added;
  };
  // One more than the limit shows that the graph is truncated. Known nodes do not count.
  const max_rows = limit + 1;
  let traversals: Traversal[] = directions.map((direction) => ({ direction, frontier: [media_id] }));
  for (let level = 1; traversals.length > 0; level += 1) {
    const next: Traversal[] = [];
    for (const { direction, frontier } of traversals) {
      const { sign } = direction;
      const adjacent = await direction.generations(frontier, max_rows);
      if (level > depth) {
        if (adjacent.some((id) => !distances.has(id))) truncated = true;
        continue;
      }
      const generation_ids = addNodes(adjacent, sign * (2 * level - 1));
      if (generation_ids.length === 0) continue;
      const media = addNodes(await direction.media(generation_ids, max_rows), sign * 2 * level);
      if (media.length > 0) next.push({ direction, frontier: media });
    }
    traversals = next;
  }
  return { distances, truncated };
}
