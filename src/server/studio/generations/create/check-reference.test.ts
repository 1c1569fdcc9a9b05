import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

const bench = useMediaFixture();
const service = useSharedService(() => ({ fetcher: bench.fetcher }));
let studio: TestOrganization;
beforeAll(async () => {
  studio = await service.createOrganization('0');
});
beforeEach(() => {
  bench.fetcher.files.clear();
  bench.fetcher.fetched.length = 0;
});

const check = (url: string) => studio.call('check_reference', { body: { url } });
const refusal = async (url: string) => {
  const { status, error } = await studio.callError('check_reference', { body: { url } });
  return { status, message: error.message, paths: error.details?.map(({ path }) => path) };
};

it('returns the facts of a file behind a URL and deletes the file', async () => {
  const url = 'https://media.example/a.mp4';
  bench.fetcher.files.set(url, bench.clip());
  const { body } = await check(url);
  expect(body).toMatchObject({ object: 'reference_check', url, type: 'video', mime_type: 'video/mp4' });
  expect(body.duration_seconds).toBeCloseTo(5, 1);
  expect(await createWorkerFixture(service).listTempDirs()).toEqual([]);
});

it('looks up own media without fetching', async () => {
  const { url } = await bench.upload(service.get(), studio.organization_id, bench.sound());
  expect((await check(url)).body).toMatchObject({ type: 'audio' });
  expect(bench.fetcher.fetched).toEqual([]);
});

it('returns 400 for a dead link and for an unsupported file', async () => {
  const dead = await refusal('https://nonexistent.example.invalid/a.mp3');
  expect(dead).toEqual({ status: 400, message: 'There is no such server.', paths: ['url'] });
  bench.fetcher.files.set('https://media.example/page.mp4', import.meta.filename);
  expect(await refusal('https://media.example/page.mp4')).toMatchObject({ status: 400, paths: ['url'] });
});

it('returns 422 for an invalid reference URL without fetching', async () => {
  for (const url of ['http://media.example/a.mp4', 'https://media.example:8443/a.mp4', 'https://a@media.example/'])
    expect(await refusal(url)).toMatchObject({ status: 422, paths: ['url'] });
  expect(bench.fetcher.fetched).toEqual([]);
});

it('returns 429 after 30 checks of a key in a minute', async () => {
  const other = await service.createOrganization('0');
  const refuse = () => other.callError('check_reference', { body: { url: 'https://media.example/none.mp4' } });
  const statuses: number[] = [];
  for (let at = 0; at < 31; at += 1) statuses.push((await refuse()).status);
  expect(statuses.filter((status) => status === 400)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});
