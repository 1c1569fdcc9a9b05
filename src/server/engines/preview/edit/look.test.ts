import { describe, expect, test } from 'vitest';
import { readPrompt } from '../brief/brief.ts';
import type { Pixels } from '../render/protocol.ts';
import { recolor } from './apply-look.ts';
import { readInstruction } from './instruction.ts';
import { removeBackground } from './remove-background.ts';

const read = (prompt: string): ReturnType<typeof readInstruction> => readInstruction(prompt, readPrompt(prompt, '', 1));

function applied(prompt: string, color: readonly [number, number, number]): number[] {
  const pixels: Pixels = { width_px: 1, height_px: 1, rgba: new Uint8Array([...color, 255]) };
  recolor(pixels, read(prompt).look);
  return [...pixels.rgba];
}

describe('instructions', () => {
  test.each([
    ['make it black and white', ['black and white']],
    ['Warmer and brighter please', ['warmer', 'brighter']],
    ['blur the background', ['blurred background']],
    ['flip it vertically', ['flipped top to bottom']],
    ['rotate left', ['rotated 270°']],
    ['tint it teal', ['tinted teal']],
    ['crop to a square', ['cropped']],
    ['let it snow', ['snow']],
    ['more like us', ['light in the colours of the prompt']],
  ])('%s → %j', (prompt, names) => {
    expect(read(prompt).applied).toEqual(names);
  });

  test('a crop can have a ratio', () => {
    expect(read('crop to 21:9').crop_ratio).toBeCloseTo(21 / 9);
    expect(read('crop it square').crop_ratio).toBe(1);
    expect(read('a square table').crop_ratio).toBe(1);
    expect(read('warmer').crop_ratio).toBeNull();
  });
});

describe('colors', () => {
  test('black and white removes all color', () => {
    const [red, green, blue, alpha] = applied('black and white', [200, 40, 90]);
    expect([green, blue, alpha]).toEqual([red, red, 255]);
  });
  test('warmer has more red and less blue, cooler the opposite', () => {
    const [warm_red = 0, , warm_blue = 0] = applied('warmer', [120, 120, 120]);
    const [cool_red = 0, , cool_blue = 0] = applied('cooler', [120, 120, 120]);
    expect(warm_red - warm_blue).toBeGreaterThan(20);
    expect(cool_blue - cool_red).toBeGreaterThan(20);
  });
  test('brighter, darker and negative change the channels', () => {
    expect(applied('brighter', [100, 100, 100])[0]).toBeGreaterThan(110);
    expect(applied('darker', [100, 100, 100])[0]).toBeLessThan(80);
    expect(applied('invert it', [255, 0, 10])).toEqual([0, 255, 245, 255]);
  });
});

describe('removing a background', () => {
  const SIDE = 40;
  const picture = (paint: (x: number, y: number) => readonly [number, number, number, number]): Pixels => ({
    width_px: SIDE,
    height_px: SIDE,
    rgba: new Uint8Array(
      Array.from({ length: SIDE * SIDE }, (_, index) => paint(index % SIDE, Math.floor(index / SIDE))).flat(),
    ),
  });
  const alphaAt = ({ rgba }: Pixels, x: number, y: number): number => rgba[(y * SIDE + x) * 4 + 3] ?? -1;
  const inside = (x: number, y: number): boolean => x > 9 && x < 30 && y > 9 && y < 30;

  test('removes a plain background and keeps the subject, even where it has the same color', () => {
    const pixels = picture((x, y) =>
      inside(x, y) && !(x === 20 && y === 20) ? [180, 20, 20, 255] : [250, 250, 250, 255],
    );
    expect(removeBackground(pixels)).toBe('keyed');
    expect([alphaAt(pixels, 2, 2), alphaAt(pixels, 15, 15), alphaAt(pixels, 20, 20)]).toEqual([0, 255, 255]);
  });
  test('keeps existing transparency', () => {
    const pixels = picture((x, y) => [10, 20, 30, inside(x, y) ? 255 : 0]);
    expect(removeBackground(pixels)).toBe('kept');
    expect([alphaAt(pixels, 1, 1), alphaAt(pixels, 20, 20)]).toEqual([0, 255]);
  });
  test('keeps an oval of a busy image', () => {
    const pixels = picture((x, y) => [(x * 53) % 256, (y * 97) % 256, (x * y) % 256, 255]);
    expect(removeBackground(pixels)).toBe('masked');
    expect([alphaAt(pixels, 0, 0), alphaAt(pixels, 20, 20)]).toEqual([0, 255]);
  });
});
