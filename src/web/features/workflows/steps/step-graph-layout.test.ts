import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type GraphStep, layoutStepGraph } from './step-graph-layout.ts';

const step = (key: string, ...needs: string[]): GraphStep => ({ key, needs });
const layerOf = (steps: GraphStep[], key: string) =>
  layoutStepGraph(steps).steps.find((each) => each.key === key)?.layer;
const yOf = (steps: GraphStep[], key: string) => layoutStepGraph(steps).steps.find((each) => each.key === key)?.y;

it('places a chain in one row', () => {
  const { steps, layers, height } = layoutStepGraph([step('a'), step('b', 'a'), step('c', 'b')]);
  expect(steps).toEqual([
    { key: 'a', layer: 0, y: 0.5 },
    { key: 'b', layer: 1, y: 0.5 },
    { key: 'c', layer: 2, y: 0.5 },
  ]);
  expect([layers, height]).toEqual([3, 1]);
});

it('places parallel branches around the row', () => {
  const diamond = [step('a'), step('up', 'a'), step('down', 'a'), step('end', 'up', 'down')];
  expect(yOf(diamond, 'a')).toBeCloseTo(yOf(diamond, 'end') ?? 0);
  expect(((yOf(diamond, 'up') ?? 0) + (yOf(diamond, 'down') ?? 0)) / 2).toBeCloseTo(yOf(diamond, 'a') ?? 0);
  expect(layerOf(diamond, 'end')).toBe(2);
});

it('routes an edge around the steps in between', () => {
  const { edges, steps } = layoutStepGraph([step('a'), step('b', 'a'), step('c', 'a', 'b')]);
  const long = edges.find(({ from, to }) => from === 'a' && to === 'c');
  const middle = steps.find(({ key }) => key === 'b');
  expect(long?.points.map(({ layer }) => layer)).toEqual([0, 1, 2]);
  expect(Math.abs((long?.points[1]?.y ?? 0) - (middle?.y ?? 0))).toBeGreaterThan(0.5);
});

it('avoids crossings where possible', () => {
  const crossed = [step('a'), step('b'), step('x', 'b'), step('y', 'a')];
  expect((yOf(crossed, 'a') ?? 0) < (yOf(crossed, 'b') ?? 0)).toBe((yOf(crossed, 'y') ?? 0) < (yOf(crossed, 'x') ?? 0));
});

it('ignores cycles and unknown steps', () => {
  const { steps } = layoutStepGraph([step('a', 'b'), step('b', 'a', 'ghost'), step('c', 'c')]);
  expect(steps.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  expect(layoutStepGraph([])).toEqual({ steps: [], edges: [], layers: 0, height: 0 });
});

const graph = fc
  .integer({ min: 1, max: 30 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, at) =>
        fc
          .uniqueArray(fc.integer({ min: 0, max: Math.max(0, at - 1) }), { maxLength: at === 0 ? 0 : 4 })
          .map((needs) => step(`s${at}`, ...needs.map((need) => `s${need}`))),
      ),
    ),
  );

it('places every step once, after the steps it needs, without overlap', () => {
  fc.assert(
    fc.property(graph, (steps) => {
      const { steps: placed, edges, height } = layoutStepGraph(steps);
      const at = new Map(placed.map((each) => [each.key, each]));
      expect(at.size).toBe(steps.length);
      for (const { from, to, points } of edges) {
        expect(points.map(({ layer }) => layer)).toEqual(points.map((_, index) => (at.get(from)?.layer ?? 0) + index));
        expect(points.at(-1)).toEqual({ layer: at.get(to)?.layer, y: at.get(to)?.y });
      }
      expect(edges).toHaveLength(steps.flatMap(({ needs }) => needs).length);
      for (const a of placed) {
        expect(a.y).toBeGreaterThanOrEqual(0.499);
        expect(a.y).toBeLessThanOrEqual(height - 0.499);
        for (const b of placed)
          if (a.key < b.key && a.layer === b.layer) expect(Math.abs(a.y - b.y)).toBeGreaterThan(1.2);
      }
    }),
    { numRuns: 100 },
  );
});
