import { describe, expect, it } from 'vitest';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { layoutLineage } from './lineage-layout.ts';

const shape = { node_width_px: 100, node_height_px: 40, column_gap_px: 50, row_gap_px: 10 };
const graph = (ids: string, pairs: string): Pick<MediaLineage, 'nodes' | 'edges'> => ({
  nodes: ids.split(' ').map((id) => ({ id }) as MediaLineage['nodes'][number]),
  edges: pairs
    .split(' ')
    .filter(Boolean)
    .map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '', field: null })),
});
const lay = (ids: string, pairs: string) => layoutLineage(graph(ids, pairs), shape);
const columns = (ids: string, pairs: string) =>
  lay(ids, pairs)
    .columns.map((column) => column.map(({ node }) => node.id).join(''))
    .join(' ');

describe('layoutLineage', () => {
  it('places a chain in one row and joins the nodes edge to edge', () => {
    const { columns: placed, edges, width_px, height_px } = lay('a b c', 'ab bc');
    expect(placed.flat().map(({ left_px, top_px }) => [left_px, top_px])).toEqual([
      [0, 0],
      [150, 0],
      [300, 0],
    ]);
    expect(edges.map(({ path }) => path)).toEqual(['M100 20C125 20 125 20 150 20', 'M250 20C275 20 275 20 300 20']);
    expect([width_px, height_px]).toEqual([400, 40]);
  });

  it('never draws an edge backwards', () => {
    expect(columns('b g c h', 'bg gc ch bh')).toBe('b g c h');
  });

  it('places a late source next to its first use', () => {
    expect(columns('a g b h u', 'ag gb bh uh')).toBe('a g bu h');
  });

  it('orders columns to avoid crossings', () => {
    expect(columns('a b x y', 'ay bx')).toBe('ab yx');
    expect(columns('s a b c p q r', 'sa sb sc ar bq cp')).toBe('s abc rqp');
  });

  it('draws duplicate edges once and skips unknown nodes', () => {
    expect(lay('a g', 'ag ag az zg').edges).toHaveLength(1);
  });

  it('centers a shorter column', () => {
    const { columns: placed } = lay('g a b c', 'ga gb gc');
    expect(placed[0]?.[0]?.top_px).toBe(50);
  });

  it('terminates on cycles and on empty input', () => {
    expect(lay('a b', 'ab ba').columns.flat()).toHaveLength(2);
    expect(layoutLineage({ nodes: [], edges: [] }, shape)).toEqual({
      columns: [],
      edges: [],
      width_px: 0,
      height_px: 0,
    });
  });
});
