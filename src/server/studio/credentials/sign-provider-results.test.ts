import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { convertImages } from '#server/models/engine/convert-image.ts';
import type { EngineResult } from '#server/models/engine/engine.ts';
import { createUpstreamEngine } from '#server/models/engine/upstream.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import { inspectFile } from '#server/platform/media/credentials/inspect-file.ts';
import { markPng, manifestStore } from '#server/platform/media/testing/marks-fixture.ts';
import { isValidElsewhere } from '#server/platform/media/testing/second-reader.ts';
import { createTestSigner, type TestSigner } from '#server/platform/media/testing/sign-fixture.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { readSpooledResult, spoolResult } from '#server/studio/generations/results/result-spool.ts';
import { storeOutputs } from '#server/studio/generations/store-outputs.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createSidecars } from './create-sidecars.ts';

const fixture = useMediaFixture();
let service: TestService;
let worker: Worker;
let provider: TestSigner;
let delivered: Buffer;
let converts: 'jpeg' | null;

async function deliver(workDir: string, signal: AbortSignal): Promise<EngineResult> {
  const file = join(workDir, 'output');
  await writeFile(file, delivered);
  return { files: [file], data: null, ...(converts ? await convertImages([file], converts, signal) : {}) };
}

const engine = createUpstreamEngine({
  name: 'provider',
  supports: () => true,
  adapter: {
    supports_submit_key: false,
    submit: async ({ workDir, signal }) => ({
      status: 'succeeded',
      result: await deliver(workDir, signal),
      cost_micro_usd: null,
    }),
    poll: () => Promise.reject(new Error('Nothing is polled here.')),
    cancel: () => Promise.resolve(),
  },
});

beforeAll(async () => {
  service = await createTestService({ engines: [engine], fetcher: fixture.fetcher });
  worker = await startWorker(service.deps);
  provider = await createTestSigner();
});
beforeEach(() => {
  converts = null;
});
afterAll(async () => {
  await worker.stop();
  await service.close();
});

const plain = (format: 'png' | 'jpeg') =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#258' } })
    .toFormat(format)
    .toBuffer();

const CREATE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a harbor' } };

async function make(body: Record<string, unknown> = CREATE): Promise<string> {
  const { body: created } = await service.call('create_generation', { body });
  const ended: Generation = await waitFor('the generation to end', async () => {
    const { body: now } = await service.call('get_generation', { params: { generation_id: created.id } });
    return now.completed_at === null ? null : now;
  });
  const [asset] = ended.output.assets;
  if (!asset) throw new Error(`It has no output: ${ended.error?.message}`);
  return asset.id;
}
const read = async (media_id: string) => (await service.call('get_media_credentials', { params: { media_id } })).body;
const fileOf = async (id: string) => {
  const [row] = await service.deps.db.select().from(assets).where(eq(assets.id, id));
  return join(service.deps.config.mediaDir, 'media', 'objects', row?.storage_key ?? '');
};

describe('results of a provider', () => {
  it('are signed as made by AI, which a second reader confirms', async () => {
    delivered = await plain('png');
    const id = await make();
    const { report, place } = await read(id);
    expect([place, report.state, report.ai]).toEqual(['embedded', 'valid', 'generated']);
    expect(report.steps).toMatchObject([
      { actions: [{ action: 'c2pa.created', source_type: 'trainedAlgorithmicMedia' }], ingredients: [] },
    ]);
    expect(await isValidElsewhere(await fileOf(id))).toBe(true);
  });

  it('that are held for a review show their credentials to nobody', async () => {
    delivered = await plain('png');
    const id = await make();
    await service.deps.db.update(assets).set({ held: true }).where(eq(assets.id, id));
    const { status } = await service.callError('get_media_credentials', { params: { media_id: id } });
    expect(status).toBe(404);
  });

  it('are signed as edited by AI where they were made from a picture', async () => {
    delivered = await plain('png');
    const source = await fixture.upload(service, service.organization_id, fixture.picture());
    const input = { prompt: 'at night', images: [{ url: source.url }] };
    const id = await make({ ...CREATE, task: 'image.edit', input });
    const { report } = await read(id);
    expect([report.state, report.ai]).toEqual(['valid', 'edited']);
    expect(report.steps).toMatchObject([
      {
        actions: [
          { action: 'c2pa.opened' },
          { action: 'c2pa.edited', source_type: 'compositeWithTrainedAlgorithmicMedia' },
        ],
        ingredients: [{ relationship: 'parent', title: source.id, step: null }],
      },
    ]);
    expect(await isValidElsewhere(await fileOf(id))).toBe(true);
  });

  it.each([
    ['a PNG', 'image/png', () => plain('png'), null],
    ['a PNG that is converted', 'image/png', () => plain('png'), 'jpeg'],
    ['an MP4', 'video/mp4', () => readFile(fixture.clip()), null],
  ] as const)('keep the credentials of %s from the provider', async (_name, mime_type, create, format) => {
    converts = format;
    delivered = await provider.sign(await create(), mime_type);
    const isVideo = mime_type === 'video/mp4';
    const id = await make(
      isVideo ? { task: 'video.create', model: 'vidmodel-c-2', input: { prompt: 'a harbor' } } : CREATE,
    );
    const { report, record_matches } = await read(id);
    expect([report.state, report.ai, record_matches]).toEqual(['valid', 'generated', true]);
    expect(report.steps).toMatchObject([
      { is_own: true, ingredients: [{ relationship: 'parent', step: 1 }] },
      { is_own: false, generator: 'Test', title: 'A fox', task: null },
    ]);
    const { body: medium } = await service.call('get_media', { params: { media_id: id } });
    expect([medium.mime_type, medium.lost_marks]).toEqual([format ? 'image/jpeg' : mime_type, []]);
  });

  it('are signed without credentials that are damaged, which are named', async () => {
    const source = join(service.deps.config.mediaDir, 'damaged.png');
    await writeFile(source, markPng(await plain('png'), { c2pa: manifestStore('urn:c2pa:of-nobody') }));
    delivered = await plain('png');
    const { url } = await fixture.upload(service, service.organization_id, source);
    const id = await make({ ...CREATE, task: 'image.edit', input: { prompt: 'at night', images: [{ url }] } });
    expect((await read(id)).report).toMatchObject({ state: 'valid', ai: 'edited' });
    const { body: medium } = await service.call('get_media', { params: { media_id: id } });
    expect(medium.lost_marks).toEqual(['c2pa']);
  });

  it.each([
    ['before storage failed', 'png', true],
    ['by a process that was killed before it settled', 'png', false],
    ['by a process that was killed before it settled', 'mp4', false],
  ])('are signed once, also %s (%s)', async (_when, extension, isSignedBefore) => {
    const mime_type = extension === 'png' ? 'image/png' : 'video/mp4';
    delivered = await plain('png');
    const id = await make();
    const { deps } = service;
    const [row] = await deps.db
      .select({ generation: generations })
      .from(generations)
      .innerJoin(assets, eq(assets.generation_id, generations.id))
      .where(eq(assets.id, id));
    if (!row) throw new Error('It has no generation.');
    // It would delete the result of a generation that has ended.
    await worker.stop();
    await withTempDir(deps.config.mediaDir, async (folder) => {
      const file = join(folder, `output.${extension}`);
      await writeFile(file, extension === 'png' ? delivered : await readFile(fixture.clip()));
      const { signal } = new AbortController();
      const result = { files: [file], data: null, lengths: {}, upstream: null };
      const put = () => Promise.reject(new StorageError('unavailable', 'It is away.'));
      const away = { ...deps, storage: { ...deps.storage, put } };
      const generation = extension === 'png' ? row.generation : { ...row.generation, task: 'video.create' as const };
      const readKept = async () => {
        const kept = await readSpooledResult(deps.config.mediaDir, generation.id);
        if (!kept) throw new Error('Nothing was kept.');
        return kept;
      };
      const fail = async (each: Parameters<typeof storeOutputs>[2]) =>
        expect(storeOutputs(away, generation, each, signal)).rejects.toThrow('It is away.');
      if (isSignedBefore) await fail(result);
      await spoolResult(deps.config, generation.id, result);
      if (!isSignedBefore) await fail(await readKept());
      const drafts = await storeOutputs(deps, generation, await readKept(), signal);
      const copy = join(folder, `copy.${extension}`);
      await deps.storage.copyToFile(drafts[0]?.storage_key ?? '', copy);
      const trust = await deps.signing.trust();
      const { report } = await inspectFile(deps.media, { file: copy, mime_type }, trust);
      expect([report.state, report.steps.length, drafts[0]?.credentials.place]).toEqual(['valid', 1, 'embedded']);
    });
    worker = await startWorker(service.deps);
  });

  it('of before get a manifest beside them on request, and stay as they are', async () => {
    delivered = await provider.sign(await plain('png'), 'image/png');
    const id = await make();
    const file = await fileOf(id);
    await writeFile(file, delivered);
    await service.deps.db.delete(assetCredentials).where(eq(assetCredentials.asset_id, id));
    expect(await read(id)).toMatchObject({
      place: 'embedded',
      record_matches: null,
      report: { steps: [{ is_own: false }] },
    });
    const { signal } = new AbortController();
    expect(await createSidecars(service.deps, signal)).toEqual({ signed: 1, failed: 0 });
    expect((await readFile(file)).equals(delivered)).toBe(true);
    const now = await read(id);
    expect(now).toMatchObject({ place: 'sidecar', record_matches: true, report: { state: 'valid', ai: 'generated' } });
    expect(now.report.steps.map(({ is_own }) => is_own)).toEqual([true, false]);
    const response = await fetch(
      `${await service.listen()}${new URL(now.sidecar_url ?? '').pathname}${new URL(now.sidecar_url ?? '').search}`,
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/c2pa']);
    expect(await createSidecars(service.deps, signal)).toEqual({ signed: 0, failed: 0 });
  });
});
