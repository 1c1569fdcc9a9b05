import { expect, it } from 'vitest';
import type { MediaLineage } from '#contract/resources/media-lineage.ts';
import { findReplaced } from './find-replaced.ts';

type Node = MediaLineage['nodes'][number];
const medium = (id: string, distance: number, type: 'image' | 'video' = 'image'): Node => ({
  kind: 'media',
  id,
  distance,
  type,
  origin: 'generated',
  media: null,
});
const lineage = { id: 'ast_c', nodes: [medium('ast_a', -4), medium('ast_b', -2), medium('ast_c', 0)] };

it('finds the nearest source that a page shows', () => {
  expect(findReplaced({ media_ids: ['ast_a', 'ast_b', 'ast_x'], versions: [] }, lineage)).toBe('ast_b');
  expect(findReplaced({ media_ids: ['ast_a'], versions: [] }, lineage)).toBe('ast_a');
});

it('finds nothing on pages of collections, of others, with the file itself, or with a newer version', () => {
  expect(findReplaced({ media_ids: null, versions: [] }, lineage)).toBeNull();
  expect(findReplaced({ media_ids: ['ast_x'], versions: [] }, lineage)).toBeNull();
  expect(findReplaced({ media_ids: ['ast_b', 'ast_c'], versions: [] }, lineage)).toBeNull();
  const versions = [{ media_id: 'ast_x', replaces: 'ast_b' }];
  expect(findReplaced({ media_ids: ['ast_b', 'ast_x'], versions }, lineage)).toBeNull();
});

it('keeps a video and its picture apart', () => {
  const clip = { id: 'ast_v', nodes: [medium('ast_a', -2), medium('ast_v', 0, 'video')] };
  expect(findReplaced({ media_ids: ['ast_a'], versions: [] }, clip)).toBeNull();
});
