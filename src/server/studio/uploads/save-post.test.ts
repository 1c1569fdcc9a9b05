import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { SearchItem } from '#contract/resources/output-data.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';

const media = useMediaFixture();
const service = useSharedService(() => ({ fetcher: media.fetcher, engines: [createScriptedEngine()] }));
let studio: TestOrganization;
beforeAll(async () => {
  studio = await service.createOrganization('10');
});
beforeEach(() => {
  media.fetcher.files.clear();
  media.fetcher.fetched.length = 0;
});

const POST: SearchItem = {
  id: 'p/1',
  platform: 'social_a',
  url: 'https://social.example/p/1',
  creator: { display_name: 'Ana', username: 'ana' },
  caption: 'A quiet\u0000 harbor\nat night',
  media_type: 'video',
  thumbnail_url: 'https://media.example/cover.png',
};

/** A search that found these posts. @returns its generation */
async function search(...videos: SearchItem[]): Promise<string> {
  const body = { task: 'social.search', input: { platform: 'social_a', query: 'harbor' } };
  const { id } = (await studio.call('create_generation', { body })).body;
  const output_data = JSON.parse(
    JSON.stringify({ platform: 'social_a', query: 'harbor', count: videos.length, videos }).replaceAll('\\u0000', ''),
  ) as Record<string, unknown>;
  await service.get().deps.db.update(generations).set({ output_data }).where(eq(generations.id, id));
  return id;
}
const save = async (generation_id: string, post_id: string) =>
  (await studio.call('save_post', { params: { generation_id }, body: { post_id } })).body;
const refuse = (generation_id: string, post_id: string, by = studio) =>
  by.callError('save_post', { params: { generation_id }, body: { post_id } });

it('stores the cover of a post once, with its source', async () => {
  media.fetcher.files.set('https://media.example/cover.png', media.picture());
  const generation_id = await search(POST);
  const saved = await save(generation_id, POST.id);
  expect(saved).toMatchObject({ media_ids: [expect.stringMatching(/^upl_/)], missing_count: 0 });
  const [media_id = ''] = saved.media_ids;
  const { body } = await studio.call('get_media', { params: { media_id } });
  expect(body).toMatchObject({
    type: 'image',
    filename: 'A quiet harbor.png',
    source: { url: POST.url, author: 'Ana', caption: 'A quiet harbor\nat night' },
  });
  expect((await save(generation_id, POST.id)).media_ids).toEqual([media_id]);
  const found = (await studio.call('list_media', { query: { q: 'harbor' } })).body.data;
  expect(found.map(({ id, source }) => [id, source?.author])).toEqual([[media_id, 'Ana']]);
});

it('stores the pictures of a carousel that can be read', async () => {
  const at = (name: string) => `https://media.example/${name}`;
  media.fetcher.files.set(at('1.png'), media.picture()).set(at('2.png'), media.clip());
  const post: SearchItem = {
    ...POST,
    id: 'many',
    media_type: 'carousel',
    thumbnail_url: at('1.png'),
    image_urls: [at('1.png'), at('2.png'), at('gone.png')],
  };
  const saved = await save(await search(post), post.id);
  expect([saved.media_ids.length, saved.missing_count]).toEqual([2, 1]);
});

it('draws the picture of a sample post', async () => {
  const post: SearchItem = { ...POST, id: 'sample-002', url: 'https://example.com/2', thumbnail_url: null };
  const { media_ids } = await save(await search(post), post.id);
  expect(media_ids).toHaveLength(1);
  expect(media.fetcher.fetched).toEqual([]);
});

it('rejects posts without a readable picture, unknown posts and searches of others', async () => {
  const none: SearchItem = { ...POST, id: 'none', thumbnail_url: null };
  const privateLink: SearchItem = { ...POST, id: 'http', thumbnail_url: 'http://media.example/cover.png' };
  const generation_id = await search(POST, none, privateLink);
  const other = await service.createOrganization('0');
  const problems = [
    await refuse(generation_id, POST.id),
    await refuse(generation_id, 'none'),
    await refuse(generation_id, 'unknown'),
    await refuse(generation_id, POST.id, other),
  ];
  expect(problems.map(({ status, error }) => [status, error.code])).toEqual([
    [400, 'invalid_request'],
    [400, 'invalid_request'],
    [404, 'not_found'],
    [404, 'generation_not_found'],
  ]);
  expect((await refuse(generation_id, 'http')).status).toBe(422);
  expect(media.fetcher.fetched).toEqual(['https://media.example/cover.png']);
});
