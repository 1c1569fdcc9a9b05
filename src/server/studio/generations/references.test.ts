import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { fixedOffering } from '#server/models/catalog/offering.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { createMedia } from '#server/platform/media/testing/create-media.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { runGeneration } from './run-generation.ts';
import { type TestOrganization, useSharedService } from './testing/shared-service-fixture.ts';
import { useMediaFixture } from './testing/media-fixture.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { createWorkerFixture } from './testing/worker-fixture.ts';

const media = useMediaFixture();
const engine = createScriptedEngine();
const service = useSharedService(() => ({ engines: [engine], fetcher: media.fetcher }));
const bench = createWorkerFixture(service);
let studio: TestOrganization;
beforeAll(async () => {
  studio = await service.createOrganization('50');
});
beforeEach(() => {
  media.fetcher.files.clear();
  media.fetcher.fetched.length = 0;
  engine.jobs.length = 0;
});

const REMOTE = 'https://media.example/a';
const run = async (task: string, model: string | null, input: Record<string, unknown>) => {
  const { body } = await studio.call('create_generation', { body: { task, model, input } });
  await runGeneration(service.get().deps, body.id, { shutdown: new AbortController().signal });
  return bench.read(studio, body.id);
};
const edit = (urls: string[]) =>
  run('image.edit', 'imgmodel-a-2', { prompt: 'x', images: urls.map((url) => ({ url })) });

it('are copied into the job folder and probed, each URL fetched once', async () => {
  media.fetcher.files.set(REMOTE, media.picture());
  const own = await media.upload(service.get(), studio.organization_id, media.picture());
  const seen: Buffer[] = [];
  const { run: original } = engine;
  engine.run = async (job) => {
    for (const { file } of job.references) seen.push(await readFile(file));
    return original(job);
  };
  const done = await edit([REMOTE, own.url, REMOTE]);
  engine.run = original;
  expect(done.status).toBe('succeeded');
  const [job] = engine.jobs;
  expect(job?.references).toMatchObject([
    { path: 'images.0', url: REMOTE, role: null, media: { kind: 'image', width: 64, height: 36 } },
    { path: 'images.1', url: own.url },
    { path: 'images.2', url: REMOTE },
  ]);
  for (const { file } of job?.references ?? []) {
    expect(file.startsWith(`${job?.workDir}/`)).toBe(true);
    expect(file).toMatch(/\/reference-\d\.png$/);
  }
  const picture = await readFile(media.picture());
  expect(seen.every((bytes) => bytes.equals(picture))).toBe(true);
  expect(media.fetcher.fetched).toEqual([REMOTE]);
});

it.each(['https://localhost:8443', 'https://localhost', 'http://10.0.0.5:9000'])(
  'may be own media links of a service at %s, and no other links there',
  async (publicUrl) => {
    const { config } = service.get().deps;
    const usual = config.publicUrl;
    config.publicUrl = publicUrl;
    try {
      const own = await media.upload(service.get(), studio.organization_id, media.picture());
      expect(own.url.startsWith(`${publicUrl}/media/`)).toBe(true);
      expect((await edit([own.url])).status).toBe('succeeded');
      const other = { prompt: 'x', images: [{ url: 'https://localhost:8444/media/upl_1' }] };
      const body = { task: 'image.edit', model: 'imgmodel-a-2', input: other };
      expect((await studio.callError('create_generation', { body })).status).toBe(422);
    } finally {
      config.publicUrl = usual;
    }
  },
);

it('are measured once if they are own media', async () => {
  const { deps } = service.get();
  const source = await media.upload(service.get(), studio.organization_id, media.clip());
  const isMeasured = async (tools: typeof deps.media) => {
    const input = { prompt: 'x', video: { url: source.url } };
    const { body } = await studio.call('create_generation', {
      body: { task: 'video.edit', model: 'vidmodel-c-2.5', input },
    });
    const made = { ...engine, run: () => Promise.reject(new EngineError('engine_failed', 'The engine has run.')) };
    const offering = fixedOffering({ engines: [made] });
    await runGeneration({ ...deps, media: tools, offering }, body.id, { shutdown: new AbortController().signal });
    return (await bench.read(studio, body.id)).error?.message === 'The engine has run.';
  };
  const withoutTools = { ...deps.media, streams: null };
  expect(await isMeasured(withoutTools)).toBe(false);
  expect(await isMeasured(deps.media)).toBe(true);
  expect(await isMeasured(withoutTools)).toBe(true);
});

it('are measured again after their stored bytes have changed', async () => {
  const { db, storage } = service.get().deps;
  const own = await media.upload(service.get(), studio.organization_id, media.picture());
  expect((await edit([own.url])).status).toBe('succeeded');
  const [row] = await db.select().from(uploads).where(eq(uploads.id, own.id));
  await storage.put(row?.storage_key ?? '', Readable.from([Buffer.from('damaged')]));
  expect(await edit([own.url])).toMatchObject({ status: 'failed', error: { code: 'invalid_media' } });
});

it('keep their role', async () => {
  media.fetcher.files.set(REMOTE, media.picture());
  const input = { prompt: 'x', reference_images: [{ url: REMOTE, role: 'style' }] };
  const { body } = await studio.call('create_generation', {
    body: { task: 'video.create', model: 'omni-video', input },
  });
  await runGeneration(service.get().deps, body.id, { shutdown: new AbortController().signal });
  expect(engine.jobs[0]?.references[0]).toMatchObject({ path: 'reference_images.0', role: 'style' });
});

it.each([
  ['can’t be fetched', () => undefined, { code: 'reference_unavailable', message: 'There is no such server.' }],
  ['is no medium', () => import.meta.filename, { code: 'invalid_media', retryable: false }],
  [
    'is of the wrong kind',
    () => media.clip(),
    { code: 'invalid_media', message: 'This must be an image; the file is a video.' },
  ],
])('fail the generation with a message and release its funds if one %s', async (_, file, error) => {
  const source = file();
  if (source !== undefined) media.fetcher.files.set(REMOTE, source);
  const failed = await edit([REMOTE]);
  expect(failed).toMatchObject({ status: 'failed', error, usage: { billing_status: 'released' } });
  expect(await bench.readLedgerEntries(failed.id)).toEqual(['RELEASE 30000', 'RESERVE -30000']);
  expect(engine.jobs).toEqual([]);
  expect(await bench.listTempDirs()).toEqual([]);
});

it('fail the generation if their server refuses the connection', async () => {
  const { deps } = service.get();
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const download = () => Promise.reject(new OutboundError('unreachable', 'The server is away.', { cause: refused }));
  const input = { prompt: 'x', images: [{ url: REMOTE }] };
  const { body } = await studio.call('create_generation', {
    body: { task: 'image.edit', model: 'imgmodel-a-2', input },
  });
  const fetcher = { ...media.fetcher, download };
  await runGeneration({ ...deps, fetcher }, body.id, { shutdown: new AbortController().signal });
  expect(await bench.read(studio, body.id)).toMatchObject({
    status: 'failed',
    error: { code: 'reference_unavailable', message: 'The server is away.', retryable: true },
  });
});

it('fail the generation if an own medium was deleted since', async () => {
  const own = await media.upload(service.get(), studio.organization_id, media.picture());
  const input = { prompt: 'x', images: [{ url: own.url }] };
  const { body } = await studio.call('create_generation', {
    body: { task: 'image.edit', model: 'imgmodel-a-2', input },
  });
  await service.get().deps.db.delete(uploads);
  await runGeneration(service.get().deps, body.id, { shutdown: new AbortController().signal });
  expect(await bench.read(studio, body.id)).toMatchObject({ status: 'failed', error: { code: 'media_gone' } });
});

it('are charged by their actual length, at most the reservation', async () => {
  const { deps } = service.get();
  const clip = async (seconds: number) => {
    const file = `${deps.config.dataDir}/clip-${seconds}.mp4`;
    const line = `-f lavfi -i testsrc=s=64x36:r=2:d=${seconds} -c:v libx264 -pix_fmt yuv420p`;
    return createMedia(file, line.split(' '));
  };
  const [ten, twenty] = [await clip(10), await clip(20)];
  const charged = async (atCreate: string, atRun: string) => {
    media.fetcher.files.set(REMOTE, atCreate);
    const input = { prompt: 'hang', video: { url: REMOTE } };
    const { body } = await studio.call('create_generation', {
      body: { task: 'video.edit', model: 'vidmodel-c-2.5', input },
    });
    media.fetcher.files.set(REMOTE, atRun);
    const made = { ...engine, run: async () => ({ files: [atRun], data: null }) };
    const offering = fixedOffering({ engines: [made] });
    await runGeneration({ ...deps, offering }, body.id, { shutdown: new AbortController().signal });
    const { status, usage } = await bench.read(studio, body.id);
    return { status, reserved: body.usage.amount_usd, charged: usage.amount_usd, lines: usage.line_items.length };
  };
  expect(await charged(twenty, ten)).toEqual({ status: 'succeeded', reserved: '1.70', charged: '0.85', lines: 1 });
  expect(await charged(ten, twenty)).toEqual({ status: 'succeeded', reserved: '0.85', charged: '0.85', lines: 1 });
});
