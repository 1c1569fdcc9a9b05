import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createPainting } from '#server/models/preview/painting.ts';
import { createSamplePosters } from './sample-posters.ts';

const posters = createSamplePosters(createPainting(await sharedMediaTools(), 1));

describe('sample posters', () => {
  it('draws a post once, the same each time', async () => {
    const [first, second] = await Promise.all([posters.still('sample-002', 0), posters.still('sample-002', 0)]);
    expect(first).toBe(second);
    const { format, width, height } = await sharp(first ?? Buffer.alloc(0)).metadata();
    expect({ format, width, height }).toEqual({ format: 'webp', width: 324, height: 576 });
    expect(first?.length).toBeLessThan(60_000);
  });

  it('draws another picture for each place of a carousel', async () => {
    const [first, second] = await Promise.all([posters.still('sample-001', 0), posters.still('sample-001', 1)]);
    expect(first?.equals(second ?? Buffer.alloc(0))).toBe(false);
    expect(await posters.still('sample-001', 7)).toBeNull();
  });

  it('moves for videos only', async () => {
    const clip = await posters.clip('sample-002');
    expect((await sharp(clip ?? Buffer.alloc(0), { animated: true }).metadata()).pages).toBeGreaterThan(10);
    expect(await posters.clip('sample-001')).toBeNull();
  });

  it('returns null for posts that are no samples', async () => {
    expect(await posters.still('sample-999', 0)).toBeNull();
    expect(await posters.clip('../../etc/passwd')).toBeNull();
  });
});
