import { expect, test } from 'vitest';
import { hang } from './prints.ts';

test.each([
  [[1.5], 1000, 1000],
  [[0.5, 2, 1], 1333, 750],
  [Array.from({ length: 30 }, (_, index) => 0.6 + (index % 5) * 0.3), 750, 1333],
  [[16 / 9, 9 / 16], 2828, 354],
])('%j hang inside %d × %d, apart, in their own ratios', (ratios, width, height) => {
  const boxes = hang(ratios, width, height);
  expect(boxes).toHaveLength(ratios.length);
  boxes.forEach((box, index) => {
    expect(box.width / box.height).toBeCloseTo(ratios[index] ?? 0, 5);
    expect(Math.min(box.x, box.y)).toBeGreaterThan(0);
    expect(box.x + box.width).toBeLessThan(width);
    expect(box.y + box.height).toBeLessThan(height);
    for (const other of boxes.slice(index + 1)) {
      const beside = other.x >= box.x + box.width || box.x >= other.x + other.width;
      const below = other.y >= box.y + box.height || box.y >= other.y + other.height;
      expect(beside || below).toBe(true);
    }
  });
});
