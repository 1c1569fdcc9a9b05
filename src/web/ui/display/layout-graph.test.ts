import fc from 'fast-check';
import { expect, it } from 'vitest';
import { layoutGraph } from './layout-graph.ts';

const sizes = { nodeWidth: 100, nodeHeight: 40, columnGap: 50, rowGap: 10 };
const lay = (ids: string, pairs: string) =>
  layoutGraph(
    [...ids],
    pairs.split(' ').map((pair) => ({ from: pair.charAt(0), to: pair.charAt(1) })),
    sizes,
  );

it('places a chain in one row and joins the nodes edge to edge', () => {
  const { nodes, edges, width, height } = lay('abc', 'ab bc');
  expect(nodes.map(({ left, top }) => [left, top])).toEqual([
    [0, 0],
    [150, 0],
    [300, 0],
  ]);
  expect(edges.map(({ path }) => path)).toEqual(['M100 20C125 20 125 20 150 20', 'M250 20C275 20 275 20 300 20']);
  expect([width, height]).toEqual([400, 40]);
});

it('orders columns to avoid crossings', () => {
  const [a, b, x, y] = lay('abxy', 'ay bx').nodes.map(({ top }) => top);
  expect((a ?? 0) < (b ?? 0)).toBe((y ?? 0) < (x ?? 0));
});

it('draws an edge once, and ends with cycles, unknown nodes and none at all', () => {
  expect(lay('ag', 'ag ag az zg gg').edges).toHaveLength(1);
  expect(lay('ab', 'ab ba').nodes).toHaveLength(2);
  expect(layoutGraph([], [], sizes)).toEqual({ nodes: [], edges: [], width: 0, height: 0 });
});

const graphs = fc
  .integer({ min: 1, max: 30 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        fc.uniqueArray(fc.integer({ min: 0, max: Math.max(0, at - 1) }), { maxLength: at === 0 ? 0 : 4 }),
      ),
    ),
  );

it('places every node once, right of what it comes from, without overlap', () => {
  fc.assert(
    fc.property(graphs, (needs) => {
      const ids = needs.map((_, at) => `s${at}`);
      const given = needs.flatMap((from, at) => from.map((each) => ({ from: `s${each}`, to: `s${at}` })));
      const { nodes, edges, width, height } = layoutGraph(ids, given, sizes);
      const byId = new Map(nodes.map((node) => [node.id, node]));
      expect([...byId.keys()]).toEqual(ids);
      expect(edges).toHaveLength(given.length);
      for (const { from, to } of edges) expect(byId.get(from)?.column).toBeLessThan(byId.get(to)?.column ?? Number.NaN);
      for (const { id, column, left, top } of nodes) {
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-0.001);
        expect(left + 100).toBeLessThanOrEqual(width + 0.001);
        expect(top + 40).toBeLessThanOrEqual(height + 0.001);
        for (const other of nodes)
          if (other.id !== id && other.column === column)
            expect(Math.abs(other.top - top)).toBeGreaterThanOrEqual(49.9);
      }
    }),
    { numRuns: 100 },
  );
});
