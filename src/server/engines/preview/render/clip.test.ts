import { describe, expect, test } from 'vitest';
import { readPrompt } from '../brief/brief.ts';
import { FAMILY_WORDS, type Family } from '../brief/lexicon.ts';
import { meanDifference } from '../../testing/preview-fixture.ts';
import { createClip } from './clip.ts';
import type { ClipRequest, Pixels } from './protocol.ts';

const SIZE = { width_px: 160, height_px: 90 };
const FRAMES = 24;

const request = (prompt: string, seed: number, more: Partial<ClipRequest> = {}): ClipRequest => ({
  kind: 'clip',
  veil: false,
  brief: readPrompt(prompt, 'model', seed),
  ...SIZE,
  detail: 0.7,
  frames: FRAMES,
  fps: 24,
  first: null,
  last: null,
  prints: [],
  boxes: [],
  ...more,
});

function paint(clip: ClipRequest, indexes: readonly number[]): Uint8Array[] {
  const painter = createClip(clip);
  const ctx = painter.canvas.getContext('2d');
  return indexes.map((index) => {
    painter.paint(index);
    return new Uint8Array(ctx.getImageData(0, 0, SIZE.width_px, SIZE.height_px).data);
  });
}

const last = FRAMES - 1;
const at = (frames: readonly Uint8Array[], index: number): Uint8Array => frames[index] ?? new Uint8Array();

describe.each(Object.keys(FAMILY_WORDS) as Family[])('%s', (family) => {
  const prompt = FAMILY_WORDS[family].split(' ')[0] ?? family;
  test('moves and is deterministic', () => {
    const once = paint(request(prompt, 1), [0, 12, last]);
    const again = paint(request(prompt, 1), [0, 12, last]);
    expect(once.map((frame, index) => meanDifference(frame, at(again, index)))).toEqual([0, 0, 0]);
    expect(meanDifference(at(once, 0), at(once, 2))).toBeGreaterThan(1);
  });
});

test('differs with another seed', () => {
  expect(
    meanDifference(at(paint(request('hills', 1), [5]), 0), at(paint(request('hills', 2), [5]), 0)),
  ).toBeGreaterThan(2);
});

const picture = (color: (x: number, y: number) => readonly [number, number, number]): Pixels => ({
  ...SIZE,
  rgba: new Uint8Array(
    Array.from({ length: SIZE.width_px * SIZE.height_px }, (_, index) => [
      ...color(index % SIZE.width_px, Math.floor(index / SIZE.width_px)),
      255,
    ]).flat(),
  ),
});

test('shows the given frames exactly at the start and the end', () => {
  const first = picture((x, y) => [x, y, 90]);
  const end = picture((x, y) => [200 - x, 40, y * 2]);
  const frames = paint(request('let it snow', 1, { first, last: end }), [0, 12, last]);
  expect(meanDifference(at(frames, 0), first.rgba)).toBe(0);
  expect(meanDifference(at(frames, 2), end.rgba)).toBe(0);
  expect(meanDifference(at(frames, 1), first.rgba)).toBeGreaterThan(3);
  expect(meanDifference(at(frames, 1), end.rgba)).toBeGreaterThan(3);
});

test('a veil is transparent except for its overlays', () => {
  const frames = paint(request('let it snow', 1, { veil: true }), [0, 6]);
  const alphas = at(frames, 1).filter((_, index) => index % 4 === 3);
  expect(alphas.filter((alpha) => alpha === 0).length).toBeGreaterThan(alphas.length * 0.5);
  expect(alphas.some((alpha) => alpha > 40)).toBe(true);
  expect(meanDifference(at(frames, 0), at(frames, 1))).toBeGreaterThan(0);
});
