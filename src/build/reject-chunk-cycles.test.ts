import { expect, it } from 'vitest';
import { findCycle } from './reject-chunk-cycles.ts';

const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges));

it('finds no cycle where chunks share an import', () => {
  expect(findCycle(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))).toBeNull();
});

it('returns the cycle without the way to it', () => {
  expect(findCycle(graph({ entry: ['a'], a: ['b'], b: ['c'], c: ['a'] }))).toEqual(['a', 'b', 'c', 'a']);
  expect(findCycle(graph({ a: ['a'] }))).toEqual(['a', 'a']);
});
