import type { Random } from '../random.ts';
import type { Air } from './score.ts';
import { SAMPLE_RATE_HZ } from './wav.ts';

interface Weather {
  low_hz: number;
  high_hz: number;
  loudness: number;
  swell(time_s: number): number;
  clicks_per_second: number;
}

const AIRS = {
  wind: {
    low_hz: 120,
    high_hz: 700,
    loudness: 0.34,
    swell: (t) => 0.5 + 0.3 * Math.sin(t * 0.7) + 0.2 * Math.sin(t * 1.9 + 1),
    clicks_per_second: 0,
  },
  sea: {
    low_hz: 90,
    high_hz: 1800,
    loudness: 0.5,
    swell: (t) => 0.18 + 0.82 * Math.max(0, Math.sin(t * 0.95 - 0.6)) ** 1.7,
    clicks_per_second: 0,
  },
  rain: {
    low_hz: 900,
    high_hz: 7000,
    loudness: 0.22,
    swell: (t) => 0.85 + 0.15 * Math.sin(t * 0.9),
    clicks_per_second: 34,
  },
  fire: {
    low_hz: 60,
    high_hz: 500,
    loudness: 0.3,
    swell: (t) => 0.7 + 0.2 * Math.sin(t * 2.3) + 0.1 * Math.sin(t * 7.1),
    clicks_per_second: 11,
  },
  hum: { low_hz: 50, high_hz: 260, loudness: 0.4, swell: (t) => 0.8 + 0.2 * Math.sin(t * 0.5), clicks_per_second: 0 },
  depth: {
    low_hz: 40,
    high_hz: 320,
    loudness: 0.5,
    swell: (t) => 0.6 + 0.4 * Math.sin(t * 0.6),
    clicks_per_second: 1.2,
  },
  quiet: { low_hz: 200, high_hz: 1500, loudness: 0.05, swell: () => 1, clicks_per_second: 0 },
} as const satisfies Record<Air, Weather>;

/** Adds filtered noise; each channel has its own, which gives width. */
export function addAir(channels: readonly [Float32Array, Float32Array], air: Air, random: Random): void {
  const weather: Weather = AIRS[air];
  const corner = (frequency_hz: number): number => 1 - Math.exp((-2 * Math.PI * frequency_hz) / SAMPLE_RATE_HZ);
  const open = corner(weather.high_hz);
  const close = corner(weather.low_hz);
  for (const channel of channels) {
    let bright = 0;
    let rounder = 0;
    let rumble = 0;
    let loudness = 0;
    let click = 0;
    for (let index = 0; index < channel.length; index++) {
      if (index % 256 === 0) loudness = weather.swell(index / SAMPLE_RATE_HZ) * weather.loudness;
      bright += (random.next() * 2 - 1 - bright) * open;
      rounder += (bright - rounder) * open;
      rumble += (rounder - rumble) * close;
      if (weather.clicks_per_second > 0 && random.next() * SAMPLE_RATE_HZ < weather.clicks_per_second)
        click = random.range(0.3, 1);
      click *= 0.9965;
      channel[index] =
        (channel[index] ?? 0) +
        (rounder - rumble) * loudness * 1.6 +
        click * (random.next() - 0.5) * weather.loudness * 0.7;
    }
  }
}
