import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiErrorResponse } from '#contract/api/errors.ts';
import { type EndpointName, endpoints } from '#contract/api/endpoints.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { useDerivativesFixture } from '#server/studio/assets/derivatives/testing/derivatives-fixture.ts';
import { createFakeProviderAdapter } from '#server/studio/generations/testing/fake-provider-adapter.ts';
import {
  type FakePollBehavior,
  type FakeProviderServer,
  startFakeProviderServer,
} from '#server/studio/generations/testing/fake-provider-server.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createLibraryFixture } from '#server/studio/library/testing/library-fixture.ts';

let provider: FakeProviderServer;
beforeAll(async () => {
  provider = await startFakeProviderServer();
});
afterAll(() => provider.close());
const adapter = createFakeProviderAdapter(() => provider);
const engine = createUpstreamEngine({ name: 'studio', adapter, supports: () => true });
const service = useSharedService(() => ({ engines: [engine], config: { publicRateLimitPerMinute: 10_000 } }));
const media = useMediaFixture();
const library = createLibraryFixture(service, media);
const derivatives = useDerivativesFixture(service);

let studio: TestOrganization;
let picture: Buffer;
/** By name: paths that served a file before all files were deleted. */
const paths: Record<string, string> = {};
let known: Record<string, string>;

const pathOf = (url: string | null = '') => (url ?? '').replace(service.get().deps.config.publicUrl, '');
const visit = (url: string, method: 'GET' | 'HEAD' = 'GET', key?: string) =>
  service.get().app.inject({ method, url, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
const generate = (poll: FakePollBehavior) => {
  provider.poll_default = poll;
  return library.generate(studio, 'a lighthouse');
};

beforeAll(async () => {
  studio = await service.createOrganization('50');
  picture = await derivatives.createPicture();
  await derivatives.start();
  const upload = await derivatives.upload(studio, picture);
  const { thumbnails } = await derivatives.waitForDerivatives(studio, upload);
  await derivatives.stop();
  const [asset] = (await generate('done')).output.assets;
  const unread = await generate('text');
  const { output } = (await studio.call('get_review', { params: { generation_id: unread.id } })).body;
  const review = await generate('unsure');
  const ids = [upload.id, asset?.id ?? ''];
  const archive = (await studio.call('archive_media', { body: { ids } })).body;
  const bare = (await studio.call('archive_bare_media', { body: { ids } })).body;
  const share = (await studio.call('create_share', { body: { media_id: asset?.id ?? '', allow_downloads: true } }))
    .body;
  await studio.call('set_logo', { body: { image: picture.toString('base64') } });
  const page = await visit(pathOf(share.url));
  const [shared = ''] = [...page.body.matchAll(/"(\/s\/[^"]+)"/g)].flatMap(([, link]) => link ?? []);
  Object.assign(paths, {
    upload: pathOf(upload.url),
    thumbnail: pathOf(thumbnails[0]?.url),
    output: pathOf(asset?.url),
    'file that is no media': pathOf(output.files?.[0]?.url),
    'archive link': pathOf(archive.url),
    'archive link without credentials': pathOf(bare.url),
    'shared file': shared.replace(/\/credentials$/, ''),
    'credentials of a shared file': `${shared.replace(/\/credentials$/, '').replace(/\?.*$/, '')}/credentials`,
  });
  for (const [name, path] of Object.entries(paths))
    expect([name, path && (await visit(path)).statusCode]).toEqual([name, 200]);
  known = { media_id: asset?.id ?? '', upload_id: upload.id, generation_id: review.id, share_id: share.id };
  const { storage } = service.get().deps;
  for await (const { key } of storage.list()) await storage.delete(key);
});

describe('without the stored file', () => {
  it.each([
    ['upload', 'not_found'],
    ['thumbnail', 'not_found'],
    ['output', 'not_found'],
    ['file that is no media', 'not_found'],
    ['archive link', 'not_found'],
    ['archive link without credentials', 'not_found'],
    ['shared file', null],
    ['credentials of a shared file', null],
  ])('the path of %s is 404', async (name, code) => {
    for (const method of ['GET', 'HEAD'] as const) {
      // A check of credentials has no HEAD.
      if (method === 'HEAD' && name.startsWith('credentials')) continue;
      expect([method, (await visit(paths[name] ?? '', method)).statusCode]).toEqual([method, 404]);
    }
    const { body, headers } = await visit(paths[name] ?? '');
    if (code === null) expect(headers['content-type']).toMatch(/^text\/html/);
    else expect(ApiErrorResponse.parse(JSON.parse(body)).error.code).toBe(code);
  });

  it('the check of credentials is 404 with what to do', async () => {
    const { status, error } = await studio.callError('get_media_credentials', { params: known });
    expect([status, error.code]).toEqual([404, 'not_found']);
    expect(error.message).toMatch(/^The stored file is missing/);
  });

  it('an approval names the upload', async () => {
    const body = { decision: 'approve', note: 'Fine', upload_ids: [known['upload_id']] };
    const { status, error } = await studio.callError('decide_review', { params: known, body });
    expect([status, error.details?.[0]?.path]).toEqual([422, 'upload_ids.0']);
    const { body: review } = await studio.call('get_review', { params: known });
    expect(review.decision).toBeNull();
  });

  it('no read of the interface is a 500', async () => {
    const failed: EndpointName[] = [];
    for (const [name, { method, path }] of Object.entries(endpoints)) {
      if (method !== 'GET') continue;
      const url = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => known[param] ?? 'unknown');
      if ((await visit(url, 'GET', studio.key)).statusCode === 500) failed.push(name as EndpointName);
    }
    expect(failed).toEqual([]);
  });

  it('a generation that refers to it fails with the reason', async () => {
    provider.poll_default = 'done';
    const reference_images = [{ url: paths['upload'] && `${service.get().deps.config.publicUrl}${paths['upload']}` }];
    const { status, error } = await library.generate(studio, 'the same', { input: { reference_images } });
    expect([status, error?.code]).toEqual(['failed', 'media_gone']);
  });

  it('the same bytes can be uploaded again', async () => {
    const { url } = await derivatives.upload(studio, picture);
    expect((await visit(pathOf(url))).statusCode).toBe(200);
  });
});
