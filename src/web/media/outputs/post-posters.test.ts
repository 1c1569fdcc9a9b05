import { expect, it } from 'vitest';
import { postPosters } from './post-posters.ts';
import { readPosts } from './read-output-data.ts';

const posters = (post: Record<string, unknown>) => {
  const [read] = readPosts({ videos: [post] });
  return read && postPosters(read);
};

it('shows samples with pictures of this service', () => {
  expect(posters({ id: 'sample-002', url: 'https://example.com/x' })).toEqual({
    stills: ['/samples/sample-002.webp'],
    clip: '/samples/sample-002-clip.webp',
    isSample: true,
  });
  const image_urls = ['https://example.com/1.jpg', 'https://example.com/2.jpg'];
  expect(posters({ id: 'sample-001', url: 'https://example.com/x', media_type: 'carousel', image_urls })).toEqual({
    stills: ['/samples/sample-001.webp', '/samples/sample-001-1.webp'],
    clip: null,
    isSample: true,
  });
});

it('loads nothing from other servers', () => {
  const thumbnail_url = 'https://elsewhere.example/cover.jpg';
  expect(posters({ id: 'sample-002', url: 'https://elsewhere.example/x', thumbnail_url })).toEqual({
    stills: [],
    clip: null,
    isSample: false,
  });
});
