import { describe, expect, it } from 'vitest';
import { formatTimecode, readOutputFacts, readPosts, readScenes, formatTimeRange } from './read-output-data.ts';

describe('readPosts', () => {
  it('reads the available fields of a post', () => {
    const [post] = readPosts({
      videos: [
        {
          id: '1',
          url: 'https://a.example/1',
          creator: { display_name: null, username: 'ana' },
          caption: 'Noodles',
          hashtags: ['food', 3],
          image_urls: ['https://a.example/1.jpg'],
          metrics: { views: 1200, likes: null },
          media_type: 'carousel',
        },
      ],
    });
    expect(post).toMatchObject({
      creator: 'ana',
      hashtags: ['food'],
      coverUrl: 'https://a.example/1.jpg',
      views: 1200,
      likes: null,
      isCarousel: true,
    });
  });

  it('accepts HTTPS URLs only', () => {
    const [post] = readPosts({ videos: [{ url: 'javascript:alert(1)', thumbnail_url: 'data:image/svg+xml,x' }] });
    expect(post).toMatchObject({ url: null, coverUrl: null, creator: 'Unknown creator', id: '0' });
    expect(readPosts({ videos: 'none' })).toEqual([]);
    expect(readPosts(null)).toEqual([]);
  });
});

describe('tool outputs', () => {
  it('reads scenes and skips invalid ones', () => {
    const scene = { asset_index: 0, start_seconds: 0, end_seconds: 1.25, duration_seconds: 1.25 };
    expect(readScenes({ scenes: [scene, { asset_index: 1 }, null] })).toEqual([
      { asset_index: 0, start_seconds: 0, end_seconds: 1.25 },
    ]);
  });

  it('lists plain values only', () => {
    expect(readOutputFacts({ scene_count: 1200, note: 'The mouth is not animated.', exact: true, scenes: [] })).toEqual(
      [
        { name: 'Scene count', text: '1,200' },
        { name: 'Note', text: 'The mouth is not animated.' },
        { name: 'Exact', text: 'Yes' },
      ],
    );
  });

  it('formats time codes', () => {
    expect(formatTimecode(59.96)).toBe('1:00');
    expect(formatTimeRange(0, 64.2)).toBe('0:00 – 1:04.2');
  });
});
