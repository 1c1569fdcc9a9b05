import { describe, expect, it } from 'vitest';
import { resamplePeaks, barsPath } from './waveform-view.tsx';

describe('waveform', () => {
  it('resamples peaks to the maximum of each share', () => {
    expect(resamplePeaks([0, 0.5, 1, 0.2], 2)).toEqual([0.5, 1]);
    expect(resamplePeaks([0.3, 0.6], 4)).toEqual([0.3, 0.3, 0.6, 0.6]);
    expect(resamplePeaks([2, -1], 2)).toEqual([1, 0]);
    expect(resamplePeaks([], 3)).toEqual([]);
  });

  it('draws bars around the middle and silence as a thin line', () => {
    expect(barsPath([0, 1])).toBe('M0.5 0.980v0.040M1.5 0.060v1.880');
  });
});
