import type { Brief } from '../brief/brief.ts';
import { createRandom, mix } from '../random.ts';
import { addAir } from './air.ts';
import { writeScore, type Score } from './score.ts';
import { SAMPLE_RATE_HZ, toWav } from './wav.ts';

type Stereo = readonly [Float32Array, Float32Array];

/** Composes slow chords, single notes with an echo, and ambience. Returns a WAV file, faded at both ends. */
export function composeSound(brief: Brief, duration_seconds: number): Uint8Array<ArrayBuffer> {
  const length = Math.ceil(duration_seconds * SAMPLE_RATE_HZ);
  const channels: Stereo = [new Float32Array(length), new Float32Array(length)];
  const random = createRandom(mix(brief.seed ^ 0x50_0d));
  const score = writeScore(brief, random.fork('score'), duration_seconds);
  addChords(channels, score);
  addNotes(channels, score);
  addEcho(channels);
  addAir(channels, score.air, random.fork('air'));
  fadeEnds(channels);
  return toWav(channels[0], channels[1]);
}

function addChords([left, right]: Stereo, { chords, chord_seconds, brightness }: Score): void {
  const overlap_s = chord_seconds * 0.35;
  chords.forEach((chord, index) => {
    const start = Math.max(0, Math.round((index * chord_seconds - overlap_s / 2) * SAMPLE_RATE_HZ));
    const end = Math.min(left.length, Math.round(((index + 1) * chord_seconds + overlap_s / 2) * SAMPLE_RATE_HZ));
    chord.forEach((frequency_hz, voice) => {
      const level = (voice === 0 ? 0.16 : 0.085) / (1 + voice * 0.12);
      for (const [harmonic, strength] of [
        [1, 1],
        [2, 0.34 * brightness],
        [3, 0.16 * brightness],
      ] as const) {
        for (const [channel, detune] of [
          [left, 0.9985],
          [right, 1.0015],
        ] as const) {
          const step = (2 * Math.PI * frequency_hz * harmonic * detune) / SAMPLE_RATE_HZ;
          const amount = level * strength;
          for (let at = start; at < end; at++) {
            const inside = Math.min(
              1,
              (at - start) / (overlap_s * SAMPLE_RATE_HZ),
              (end - at) / (overlap_s * SAMPLE_RATE_HZ),
            );
            channel[at] = (channel[at] ?? 0) + amount * inside * Math.sin(step * at);
          }
        }
      }
    });
  });
}

function addNotes([left, right]: Stereo, { notes, brightness }: Score): void {
  const ring_s = 1.9;
  for (const note of notes) {
    const start = Math.round(note.at_seconds * SAMPLE_RATE_HZ);
    const end = Math.min(left.length, start + ring_s * SAMPLE_RATE_HZ);
    const step = (2 * Math.PI * note.frequency_hz) / SAMPLE_RATE_HZ;
    for (let at = start; at < end; at++) {
      const age_s = (at - start) / SAMPLE_RATE_HZ;
      const strike = Math.min(1, age_s / 0.006) * Math.exp(-age_s * 2.6);
      const tone =
        Math.sin(step * (at - start)) + brightness * 0.4 * Math.exp(-age_s * 4) * Math.sin(2.756 * step * (at - start));
      const value = tone * strike * note.loudness * 0.15;
      left[at] = (left[at] ?? 0) + value * (0.5 - note.pan / 2) * 1.4;
      right[at] = (right[at] ?? 0) + value * (0.5 + note.pan / 2) * 1.4;
    }
  }
}

function addEcho([left, right]: Stereo): void {
  for (const [delay_s, feedback] of [
    [0.031, 0.26],
    [0.127, 0.24],
    [0.311, 0.3],
  ] as const) {
    const delay = Math.round(delay_s * SAMPLE_RATE_HZ);
    let dull_left = 0;
    let dull_right = 0;
    for (let at = delay; at < left.length; at++) {
      dull_left += ((right[at - delay] ?? 0) - dull_left) * 0.35;
      dull_right += ((left[at - delay] ?? 0) - dull_right) * 0.35;
      left[at] = (left[at] ?? 0) + dull_left * feedback;
      right[at] = (right[at] ?? 0) + dull_right * feedback;
    }
  }
}

function fadeEnds(channels: Stereo): void {
  const fade_in = 0.25 * SAMPLE_RATE_HZ;
  const fade_out = 0.9 * SAMPLE_RATE_HZ;
  for (const channel of channels) {
    for (let at = 0; at < channel.length; at++) {
      channel[at] = (channel[at] ?? 0) * Math.min(1, at / fade_in, (channel.length - at) / fade_out);
    }
  }
}
