import { expect, it } from 'vitest';
import { fitEdges, NO_EDGES, toCanvas, toEdges } from './canvas-edges.ts';

const PICTURE = { width: 300, height: 200 };

it('finds the edges of a canvas again', () => {
  const edges = { left: 10, top: 20, right: 30, bottom: 300 };
  expect(toCanvas(edges, PICTURE)).toEqual({ x: 290, y: 280, width: 340, height: 520 });
  expect(toEdges(toCanvas(edges, PICTURE), PICTURE)).toEqual(edges);
});

it('never cuts the picture', () => {
  expect(toEdges({ x: 400, y: 400, width: 50, height: 50 }, PICTURE)).toEqual(NO_EDGES);
});

it('adds on both sides what a ratio needs', () => {
  expect(fitEdges(1, PICTURE)).toEqual({ left: 0, top: 50, right: 0, bottom: 50 });
  expect(fitEdges(3, PICTURE)).toEqual({ left: 150, top: 0, right: 150, bottom: 0 });
});
