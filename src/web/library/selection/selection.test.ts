import { describe, expect, it } from 'vitest';
import type { MediaItem } from '#contract/resources/media.ts';
import {
  bytesOf,
  extended,
  NOTHING_SELECTED,
  type Selection,
  toggled,
  without,
  withAll,
} from '#web/library/selection/selection.ts';

const list = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, size_bytes: 10 }) as MediaItem);
const [a, b, , d, e] = list as [MediaItem, MediaItem, MediaItem, MediaItem, MediaItem];
const idsOf = ({ media }: Selection<MediaItem>) => [...media.keys()].join('');

describe('choosing media', () => {
  it('one by one, in the order they are chosen', () => {
    const two = toggled(toggled(NOTHING_SELECTED, d), a);
    expect(idsOf(two)).toBe('da');
    expect(idsOf(toggled(two, d))).toBe('a');
    expect(bytesOf(two.media.values())).toBe(20);
  });

  it('a range from the one before, either way, and again from the same', () => {
    const from = toggled(NOTHING_SELECTED, b);
    const range = extended(from, list, d);
    expect(idsOf(range)).toBe('bcd');
    expect(idsOf(extended(range, list, a))).toBe('bcda');
    expect(idsOf(extended(NOTHING_SELECTED, list, e))).toBe('e');
  });

  it('a range whose beginning the filters hide is the one medium', () => {
    expect(idsOf(extended(toggled(NOTHING_SELECTED, a), list.slice(2), e))).toBe('ae');
  });

  it('all, and without what was deleted', () => {
    const all = withAll(toggled(NOTHING_SELECTED, e), list);
    expect(idsOf(all)).toBe('eabcd');
    const left = without(all, new Set(['e', 'b']));
    expect([idsOf(left), left.anchor]).toEqual(['acd', null]);
  });
});
