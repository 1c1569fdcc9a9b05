import { expect, test } from 'vitest';
import { readPrompt } from '../brief/brief.ts';
import { composeSound } from './compose.ts';
import { SAMPLE_RATE_HZ } from './wav.ts';

const samples = (file: Uint8Array<ArrayBuffer>): Int16Array => new Int16Array(file.buffer, 44);
const loudness = (part: Int16Array): number =>
  Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);

test.each(['a forest in the rain', 'neon party', 'whale in the deep sea', 'xyzzy'])(
  '%s has the requested length, is audible, unclipped and faded',
  (prompt) => {
    const sound = samples(composeSound(readPrompt(prompt, '', 1), 3));
    expect(sound.length).toBe(3 * SAMPLE_RATE_HZ * 2);
    const peak = sound.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
    expect(peak).toBeLessThan(32_767);
    expect(loudness(sound.subarray(SAMPLE_RATE_HZ, 3 * SAMPLE_RATE_HZ))).toBeGreaterThan(600);
    expect(Math.abs(sound.at(-1) ?? 1)).toBeLessThan(60);
  },
);

test('is deterministic per brief', () => {
  const brief = readPrompt('a quiet lake', '', 1);
  expect(Buffer.compare(composeSound(brief, 1), composeSound(brief, 1))).toBe(0);
  expect(Buffer.compare(composeSound(brief, 1), composeSound(readPrompt('a loud lake', '', 1), 1))).not.toBe(0);
});
