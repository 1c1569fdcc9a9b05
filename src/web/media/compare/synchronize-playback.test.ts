import { describe, expect, it } from 'vitest';
import { synchronizePlayback } from './synchronize-playback.ts';

const lead = { at_seconds: 2, rate: 1, playing: true };
const following = { at_seconds: 2, duration_seconds: 10 };

describe('synchronizePlayback', () => {
  it('changes nothing within the tolerance', () => {
    expect(synchronizePlayback(lead, following)).toEqual({ seekSeconds: null, rate: 1, playing: true });
    expect(synchronizePlayback(lead, { ...following, at_seconds: 2.015 }).rate).toBe(1);
  });

  it('catches up by a small change of rate, at any speed', () => {
    expect(synchronizePlayback(lead, { ...following, at_seconds: 1.9 })).toEqual({
      seekSeconds: null,
      rate: 1.1,
      playing: true,
    });
    expect(synchronizePlayback(lead, { ...following, at_seconds: 2.2 }).rate).toBeCloseTo(0.88);
    expect(synchronizePlayback({ ...lead, rate: 0.5 }, { ...following, at_seconds: 1.95 }).rate).toBeCloseTo(0.525);
  });

  it('seeks when the offset is large', () => {
    expect(synchronizePlayback(lead, { ...following, at_seconds: 0 })).toEqual({
      seekSeconds: 2,
      rate: 1,
      playing: true,
    });
  });

  it('seeks to the exact position while paused', () => {
    const still = { ...lead, playing: false };
    expect(synchronizePlayback(still, { ...following, at_seconds: 1.99 })).toEqual({
      seekSeconds: 2,
      rate: 1,
      playing: false,
    });
    expect(synchronizePlayback(still, following)).toEqual({ seekSeconds: null, rate: 1, playing: false });
  });

  it('waits on its last frame when the lead is longer', () => {
    expect(synchronizePlayback({ ...lead, at_seconds: 12 }, { at_seconds: 9, duration_seconds: 10 })).toEqual({
      seekSeconds: 10,
      rate: 1,
      playing: false,
    });
    expect(
      synchronizePlayback({ ...lead, at_seconds: 12 }, { at_seconds: 10, duration_seconds: 10 }).seekSeconds,
    ).toBeNull();
  });

  it('converges within two seconds without seeking from below the threshold', () => {
    for (const start of [-0.24, -0.1, 0.1, 0.24]) {
      let at = 5 + start;
      for (let now = 5; now < 7; now += 0.02) {
        const { seekSeconds, rate } = synchronizePlayback(
          { at_seconds: now, rate: 1, playing: true },
          { at_seconds: at, duration_seconds: 60 },
        );
        expect(seekSeconds).toBeNull();
        at += 0.02 * rate;
      }
      expect(Math.abs(at - 7)).toBeLessThan(0.08);
    }
  });
});
