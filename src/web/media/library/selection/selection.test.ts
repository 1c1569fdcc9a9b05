import { describe, expect, it } from 'vitest';
import type { MediaItem } from '#contract/resources/media.ts';
import {
  totalBytes,
  extendSelection,
  EMPTY_SELECTION,
  type Selection,
  toggleSelection,
  removeFromSelection,
  addToSelection,
} from './selection.ts';

const list = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, size_bytes: 10 }) as MediaItem);
const [a, b, , d, e] = list as [MediaItem, MediaItem, MediaItem, MediaItem, MediaItem];
const idsOf = ({ media }: Selection<MediaItem>) => [...media.keys()].join('');

describe('selection', () => {
  it('keeps the order in which media are toggled', () => {
    const two = toggleSelection(toggleSelection(EMPTY_SELECTION, d), a);
    expect(idsOf(two)).toBe('da');
    expect(idsOf(toggleSelection(two, d))).toBe('a');
    expect(totalBytes(two.media.values())).toBe(20);
  });

  it('extends a range from the anchor in both directions', () => {
    const from = toggleSelection(EMPTY_SELECTION, b);
    const range = extendSelection(from, list, d);
    expect(idsOf(range)).toBe('bcd');
    expect(idsOf(extendSelection(range, list, a))).toBe('bcda');
    expect(idsOf(extendSelection(EMPTY_SELECTION, list, e))).toBe('e');
  });

  it('toggles one medium if filters hide the anchor', () => {
    expect(idsOf(extendSelection(toggleSelection(EMPTY_SELECTION, a), list.slice(2), e))).toBe('ae');
  });

  it('adds all and removes deleted media', () => {
    const all = addToSelection(toggleSelection(EMPTY_SELECTION, e), list);
    expect(idsOf(all)).toBe('eabcd');
    const left = removeFromSelection(all, new Set(['e', 'b']));
    expect([idsOf(left), left.anchor]).toEqual(['acd', null]);
  });
});
