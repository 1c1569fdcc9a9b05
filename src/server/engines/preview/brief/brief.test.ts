import { describe, expect, test } from 'vitest';
import { toRgb } from '../color/color.ts';
import { readPrompt } from './brief.ts';

const brief = (prompt: string): ReturnType<typeof readPrompt> => readPrompt(prompt, 'model', 1);

describe('reading a prompt', () => {
  test.each([
    ['A misty mountain valley with pines', 'landscape'],
    ['stormy sea with high waves', 'sea'],
    ['Tokyo skyline at night', 'city'],
    ['a spiral galaxy behind a planet', 'cosmos'],
    ['underwater coral reef', 'underwater'],
    ['bouquet of peonies', 'botanical'],
    ['glossy 3d spheres', 'spheres'],
    ['product shot of a perfume bottle', 'still_life'],
    ['abstract flowing silk', 'ribbons'],
    ['Bauhaus poster, geometric', 'poster'],
    ['portrait of an old man', 'portrait'],
  ])('%s → %s', (prompt, family) => {
    expect(brief(prompt).family).toBe(family);
  });

  test('finds subjects, weather, style and camera', () => {
    const read = brief('pan left over snowy hills with a lighthouse and two cats, pixel art');
    expect(read.subjects).toEqual(expect.arrayContaining(['lighthouse', 'cat']));
    expect(read.weather).toContain('snow');
    expect(read.style).toBe('pixel');
    expect(read.move).toBe('pan_left');
  });

  test('leaves out negated words', () => {
    expect(brief('a meadow without snow').weather).not.toContain('snow');
    expect(brief('hills, no boats').subjects).toEqual([]);
  });

  test('chooses a scene for unknown words', () => {
    expect(brief('xyzzy').family).toBeTypeOf('string');
    expect(brief('夜の海').palette.sky).toHaveLength(3);
  });
});

test('reads the first 8,000 characters of a prompt', () => {
  const { words } = brief(`A lighthouse ${'x '.repeat(500_000)}`);
  expect([words[1], words.length <= 4_000]).toEqual(['lighthouse', true]);
});

describe('seed', () => {
  test('is the same for the same words only', () => {
    expect(brief('a hill').seed).toBe(brief('  A hill ').seed);
    expect(brief('a hill').seed).not.toBe(brief('a hall').seed);
    expect(readPrompt('a hill', 'one', 1).seed).not.toBe(readPrompt('a hill', 'two', 1).seed);
    expect(readPrompt('a hill', 'm', 1).seed).not.toBe(readPrompt('a hill', 'm', 2).seed);
  });
});

describe('colors', () => {
  test('a named color leads', () => {
    const [red, green, blue] = toRgb(brief('abstract shapes in red').palette.accent);
    expect(red).toBeGreaterThan(150);
    expect(Math.max(green, blue)).toBeLessThan(100);
  });
  test('leaves stay green beside pink flowers', () => {
    const [red, green, blue] = toRgb(brief('pink roses').palette.mid);
    expect(green).toBeGreaterThan(Math.max(red, blue));
  });
  test('night is dark and day is light', () => {
    expect(brief('a hill at midnight').palette.sky[0].l).toBeLessThan(0.3);
    expect(brief('a hill at noon').palette.sky[1].l).toBeGreaterThan(0.6);
  });
});
