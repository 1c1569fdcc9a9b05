import type { MediaLineage } from '#contract/resources/media-lineage.ts';

export type LineageNode = MediaLineage['nodes'][number];

interface LineageDimensions {
  node_width_px: number;
  node_height_px: number;
  column_gap_px: number;
  row_gap_px: number;
}

interface LineageLayoutNode {
  node: LineageNode;
  column: number;
  row: number;
  left_px: number;
  top_px: number;
}

interface LineageLayoutEdge {
  from: string;
  to: string;
  /** SVG path from the right edge of one node to the left edge of the other. */
  path: string;
}

export interface LineageLayout {
  columns: readonly (readonly LineageLayoutNode[])[];
  edges: readonly LineageLayoutEdge[];
  width_px: number;
  height_px: number;
}

type Edges = readonly { from: string; to: string }[];
/** Passes over the columns, alternating in direction, after which the order is stable. */
const SWEEPS = 4;

/** Lays out a lineage from left to right with few crossings; each node is close to its results. */
export function layoutLineage(
  { nodes, edges }: Pick<MediaLineage, 'nodes' | 'edges'>,
  shape: LineageDimensions,
): LineageLayout {
  const nodeById = new Map(nodes.map((node) => [node.id, node]));
  const graphEdges = uniqueEdges(edges.filter(({ from, to }) => nodeById.has(from) && nodeById.has(to)));
  const column = assignColumns([...nodeById.keys()], graphEdges);
  const count = Math.max(0, ...column.values()) + 1;
  const order: string[][] = Array.from({ length: nodes.length > 0 ? count : 0 }, () => []);
  for (const { id } of nodes) order[column.get(id) ?? 0]?.push(id);
  orderColumns(order, graphEdges);

  const step_x_px = shape.node_width_px + shape.column_gap_px;
  const step_y_px = shape.node_height_px + shape.row_gap_px;
  const tallest = Math.max(0, ...order.map((ids) => ids.length));
  const columns = order.map((ids, at) =>
    ids.flatMap((id, row): LineageLayoutNode[] => {
      const node = nodeById.get(id);
      const top_px = (row + (tallest - ids.length) / 2) * step_y_px;
      return node ? [{ node, column: at, row, left_px: at * step_x_px, top_px }] : [];
    }),
  );
  const placedById = new Map(columns.flat().map((each) => [each.node.id, each]));
  return {
    columns,
    edges: graphEdges.flatMap(({ from, to }) => {
      const [start, end] = [placedById.get(from), placedById.get(to)];
      return start && end ? [{ from, to, path: edgePath(start, end, shape) }] : [];
    }),
    width_px: Math.max(0, order.length * step_x_px - shape.column_gap_px),
    height_px: Math.max(0, tallest * step_y_px - shape.row_gap_px),
  };
}

/** One input can use a file several times. */
function uniqueEdges(edges: Edges): { from: string; to: string }[] {
  return [...new Map(edges.map(({ from, to }) => [`${from} ${to}`, { from, to }])).values()];
}

/** Columns follow the longest path from the start; sources are then moved next to their first use. */
function assignColumns(ids: readonly string[], edges: Edges): Map<string, number> {
  const before = Map.groupBy(edges, ({ to }) => to);
  const after = Map.groupBy(edges, ({ from }) => from);
  const column = new Map<string, number>();
  const visiting = new Set<string>();
  const visit = (id: string): number => {
    const assigned = column.get(id);
    if (assigned !== undefined) return assigned;
    // A lineage has no cycles, but a faulty response must not hang the page.
    if (visiting.has(id)) return 0;
    visiting.add(id);
    const at = Math.max(0, ...(before.get(id) ?? []).map(({ from }) => visit(from) + 1));
    visiting.delete(id);
    column.set(id, at);
    return at;
  };
  ids.forEach(visit);
  for (const id of ids) {
    const next = after.get(id);
    if (before.has(id) || !next) continue;
    column.set(id, Math.max(0, Math.min(...next.map(({ to }) => column.get(to) ?? 0)) - 1));
  }
  return column;
}

function orderColumns(order: string[][], edges: Edges): void {
  const from = Map.groupBy(edges, (edge) => edge.to);
  const to = Map.groupBy(edges, (edge) => edge.from);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const isForward = sweep % 2 === 0;
    const places = new Map(order.flatMap((ids) => ids.map((id, row) => [id, row - ids.length / 2] as const)));
    for (const ids of isForward ? order : order.toReversed()) {
      const targetRows = new Map(
        ids.map((id) => {
          const neighbors = isForward
            ? (from.get(id) ?? []).map((edge) => edge.from)
            : (to.get(id) ?? []).map((edge) => edge.to);
          const rows = neighbors.map((each) => places.get(each) ?? 0);
          const mean = rows.reduce((sum, row) => sum + row, 0) / rows.length;
          return [id, rows.length > 0 ? mean : (places.get(id) ?? 0)] as const;
        }),
      );
      ids.sort((a, b) => (targetRows.get(a) ?? 0) - (targetRows.get(b) ?? 0));
      for (const [row, id] of ids.entries()) places.set(id, row - ids.length / 2);
    }
  }
}

function edgePath(
  start: LineageLayoutNode,
  end: LineageLayoutNode,
  { node_width_px, node_height_px, column_gap_px }: LineageDimensions,
): string {
  const [x1, y1] = [start.left_px + node_width_px, start.top_px + node_height_px / 2];
  const [x2, y2] = [end.left_px, end.top_px + node_height_px / 2];
  const bend = Math.min(column_gap_px, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}
