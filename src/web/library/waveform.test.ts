import { describe, expect, it } from 'vitest';
import { barsOf, barsPath } from './waveform.ts';

describe('a waveform', () => {
  it('has the loudest of each share as its bars', () => {
    expect(barsOf([0, 0.5, 1, 0.2], 2)).toEqual([0.5, 1]);
    expect(barsOf([0.3, 0.6], 4)).toEqual([0.3, 0.3, 0.6, 0.6]);
    expect(barsOf([2, -1], 2)).toEqual([1, 0]);
    expect(barsOf([], 3)).toEqual([]);
  });

  it('is drawn about its middle, and silence as a hair', () => {
    expect(barsPath([0, 1])).toBe('M0.5 0.980v0.040M1.5 0.060v1.880');
  });
});
