import { Graph, layout } from '@dagrejs/dagre';

export interface GraphSizes {
  nodeWidth: number;
  nodeHeight: number;
  columnGap: number;
  rowGap: number;
}

export interface PlacedNode {
  id: string;
  column: number;
  left: number;
  top: number;
}

export interface GraphLayout {
  /** In the order of the ids. */
  nodes: readonly PlacedNode[];
  /** With an SVG path from the right edge of one node to the left edge of the other. */
  edges: readonly { from: string; to: string; path: string }[];
  width: number;
  height: number;
}

interface Point {
  x: number;
  y: number;
}

/** Lays out nodes of one size from left to right with few crossings; ignores edges of unknown nodes. */
export function layoutGraph(
  ids: readonly string[],
  edges: readonly { from: string; to: string }[],
  { nodeWidth, nodeHeight, columnGap, rowGap }: GraphSizes,
): GraphLayout {
  const graph = new Graph<object, Point & { width: number; height: number }, { points?: Point[] }>();
  graph.setGraph({ rankdir: 'LR', nodesep: rowGap, edgesep: rowGap, ranksep: columnGap });
  for (const id of ids) graph.setNode(id, { x: 0, y: 0, width: nodeWidth, height: nodeHeight });
  for (const { from, to } of edges)
    if (from !== to && graph.hasNode(from) && graph.hasNode(to)) graph.setEdge(from, to, {});
  layout(graph);
  const columns = [...new Set(ids.map((id) => graph.node(id).x))].sort((one, other) => one - other);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    nodes: ids.map((id) => {
      const { x, y } = graph.node(id);
      return { id, column: columns.indexOf(x), left: x - nodeWidth / 2, top: y - nodeHeight / 2 };
    }),
    edges: graph.edges().map(({ v: from, w: to }) => {
      const [start, end] = [graph.node(from), graph.node(to)];
      const between = graph.edge(from, to).points?.slice(1, -1) ?? [];
      const path = curve([
        { x: start.x + nodeWidth / 2, y: start.y },
        // An edge to the next column goes straight there.
        ...(between.length > 1 ? between : []),
        { x: end.x - nodeWidth / 2, y: end.y },
      ]);
      return { from, to, path };
    }),
    width: ids.length > 0 ? width : 0,
    height: ids.length > 0 ? height : 0,
  };
}

/** Horizontal in every point. */
const curve = (points: readonly Point[]): string =>
  points
    .map(({ x, y }, at) => {
      const before = points[at - 1];
      if (!before) return `M${x} ${y}`;
      const middle = (before.x + x) / 2;
      return `C${middle} ${before.y} ${middle} ${y} ${x} ${y}`;
    })
    .join('');
