import { describe, expect, it } from 'vitest';
import { openAiImageSize } from './openai-image-size.ts';

const RATIOS = '1:1 3:2 2:3 4:3 3:4 16:9 9:16 2:1 1:2 3:1 1:3 21:9 9:21 5:4 4:5'.split(' ');
const PIXELS = { '1K': 1024 ** 2, '2K': 2048 ** 2, '4K': 3840 * 2160 };

describe('image sizes', () => {
  it.each(RATIOS.flatMap((ratio) => Object.entries(PIXELS).map(([name, pixels]) => [ratio, name, pixels] as const)))(
    'fit what is documented: %s at %s',
    (ratio, name, pixels) => {
      const [width = 0, height = 0] = openAiImageSize(ratio, name, 'free').split('x').map(Number);
      const [wide = 0, high = 0] = ratio.split(':').map(Number);
      expect([width % 16, height % 16]).toEqual([0, 0]);
      expect(Math.max(width, height)).toBeLessThanOrEqual(3840);
      expect(Math.max(width / height, height / width)).toBeLessThanOrEqual(3);
      expect(Math.abs(width / height / (wide / high) - 1)).toBeLessThan(0.02);
      expect(width * height).toBeLessThanOrEqual(Math.min(pixels * 1.03, 8_294_400));
      expect(width * height).toBeGreaterThanOrEqual(655_360);
      expect(Math.max(width, height) === 3840 || width * height > pixels * 0.97).toBe(true);
    },
  );

  it.each([
    ['16:9', '1536x1024'],
    ['9:16', '1024x1536'],
    ['5:4', '1536x1024'],
    ['1:1', '1024x1024'],
    ['auto', 'auto'],
  ])('are the nearest of three for other models: %s', (ratio, size) => {
    expect(openAiImageSize(ratio, '1K', 'standard')).toBe(size);
    expect(() => openAiImageSize(ratio, '2K', 'standard')).toThrow('This provider supports only size 1K.');
  });
});
