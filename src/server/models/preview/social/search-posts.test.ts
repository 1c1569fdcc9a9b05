import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { OUTPUT_DATA } from '#contract/resources/output-data.ts';
import { PLATFORMS } from '#contract/tasks/social-search.ts';
import { createCorpusLoader } from './corpus.ts';
import { searchPosts, type SocialSearchQuery } from './search-posts.ts';

const corpus = await createCorpusLoader(null)();
const base: SocialSearchQuery = {
  platform: 'social_a',
  query: 'travel',
  limit: 50,
  media_type: 'video',
  sort: 'relevance',
  min_views: null,
  max_duration_seconds: null,
  published_after: null,
};
const search = (query: Partial<SocialSearchQuery>): ReturnType<typeof searchPosts> =>
  searchPosts(corpus, { ...base, ...query });

test('samples are marked as samples and match the contract', () => {
  expect(corpus.length).toBeGreaterThan(100);
  for (const post of corpus) {
    expect(post.caption).toMatch(/sample post/);
    expect(post.creator.display_name).toMatch(/sample/);
    expect(new URL(post.url).hostname).toBe('example.com');
    expect(post.media_type === 'carousel').toBe(post.platform === 'social_a' && post.image_urls !== null);
  }
  const data = { platform: 'social_a', query: 'x', count: corpus.length, videos: [...corpus] };
  expect(OUTPUT_DATA.search.safeParse(data).success).toBe(true);
});

test.each(PLATFORMS)('%s gives its own posts alone', (platform) => {
  const found = search({ platform });
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map((post) => post.platform))).toEqual(new Set([platform]));
});

describe('relevance', () => {
  test('adjacent words match a tag', () => {
    expect(search({ query: 'Street food at night' })[0]?.hashtags).toContain('streetfood');
  });
  test('unknown words match nothing', () => {
    expect(search({ query: 'zzzz qqqq' })).toEqual([]);
  });
});

describe('limits', () => {
  test('by number', () => {
    expect(search({ limit: 2 })).toHaveLength(2);
  });
  test('by views, length and day', () => {
    const views = search({ query: 'music night travel diy', min_views: 100_000 });
    expect(views.length).toBeGreaterThan(0);
    expect(views.every((post) => (post.metrics?.views ?? 0) >= 100_000)).toBe(true);
    const short = search({ query: 'music night travel diy', max_duration_seconds: 20 });
    expect(short.length).toBeGreaterThan(0);
    expect(short.every((post) => (post.duration_seconds ?? 99) <= 20)).toBe(true);
    const recent = search({ query: 'music night travel diy', published_after: '2025-06-01T00:00:00Z' });
    expect(recent.length).toBeGreaterThan(0);
    expect(recent.every((post) => (post.published_at ?? '') > '2025-06-01')).toBe(true);
  });
  test('carousels have images in order and no duration', () => {
    const found = search({ query: 'handmade music travel recipe style', media_type: 'carousel' });
    expect(found.length).toBeGreaterThan(0);
    for (const post of found) {
      expect(post.duration_seconds).toBeNull();
      expect(post.image_urls?.map((url) => /(\d+)\.jpg$/.exec(url)?.[1])).toEqual(
        post.image_urls?.map((_, index) => String(index + 1)),
      );
    }
  });
});

test('sorts by date and by views', () => {
  const days = search({ sort: 'recent' }).map((post) => post.published_at ?? '');
  expect(days).toEqual(days.toSorted().toReversed());
  const views = search({ sort: 'popular' }).map((post) => post.metrics?.views ?? 0);
  expect(views).toEqual(views.toSorted((a, b) => b - a));
});

describe('an operator’s own posts', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'emulsion-corpus-')), 'posts.json');
  afterAll(() => rmSync(path.dirname(file), { recursive: true }));
  const load = (text: string) => {
    writeFileSync(file, text);
    return createCorpusLoader(file)();
  };

  test('replace the samples', async () => {
    const own = corpus.slice(0, 3);
    expect(await load(JSON.stringify(own))).toEqual(own);
  });

  test.each([
    ['{]', 'is not JSON.'],
    ['{}', 'does not hold posts'],
    [JSON.stringify([{ ...corpus[0], metrics: 3 }]), 'does not hold posts: 0.metrics'],
  ])('rejects %s with a reason', async (text, reason) => {
    await expect(load(text)).rejects.toThrow(reason);
  });

  test('stop the start when the file is missing', async () => {
    await expect(createCorpusLoader(path.join(path.dirname(file), 'none.json'))()).rejects.toThrow(
      /^SEARCH_CORPUS_FILE .*can’t be read\.$/,
    );
  });
});
