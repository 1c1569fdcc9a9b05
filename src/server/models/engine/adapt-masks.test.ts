import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MaskSpec } from '#contract/task.ts';
import { useAddedFal, versionOf } from '#server/models/providers/fal/testing/added-fal-fixture.ts';
import {
  createFakeOpenAiHandler,
  type FakeOpenAiRequest,
} from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { openAiPreset } from '#server/models/providers/openai/openai-preset.ts';
import { addedReplicateModels } from '#server/models/providers/replicate/added-replicate-models.ts';
import {
  createFakeReplicateHandler,
  createFakeReplicateState,
} from '#server/models/providers/replicate/testing/fake-replicate-server.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { adaptMasks } from './adapt-masks.ts';
import type { ResolvedReference } from './engine.ts';
import { createAddedJob, readAddedModel } from './testing/added-model-fixture.ts';
import { usePresetFixture } from './testing/preset-fixture.ts';
import { usePresetServer } from './testing/preset-server-fixture.ts';
import type { UpstreamEngineJob } from './upstream.ts';

/** The left pixel changes, the right one stays, that between them does half. */
const STORED = [255, 128, 0];
const KEPT = STORED.map((white) => 255 - white);
const [WIDTH, HEIGHT] = [3, 2];
const rows = (row: readonly (readonly number[] | number)[]) => Array.from({ length: HEIGHT }, () => row).flat(2);
const gray = (row: readonly number[]) => rows(row.map((value) => [value, value, value, 255]));

let tools: MediaTools;
let folder: string;
let mask: Buffer;
/** A picture of another size. */
let larger: Buffer;
beforeAll(async () => {
  tools = await sharedMediaTools();
  folder = await mkdtemp(join(tmpdir(), 'adapt-masks-'));
  const raw = { width: WIDTH, height: HEIGHT, channels: 1 } as const;
  mask = await sharp(Buffer.from(rows(STORED)), { raw })
    .png()
    .toBuffer();
  larger = await sharp(mask)
    .resize(WIDTH * 2)
    .png()
    .toBuffer();
});
afterAll(() => rm(folder, { recursive: true }));

/** A job with the files as they are stored. @param picture of another size than the mask */
async function stored(job: UpstreamEngineJob, picture = mask): Promise<UpstreamEngineJob> {
  const references = job.references.map(async (reference): Promise<ResolvedReference> => {
    const file = join(folder, `${reference.path}.png`);
    await writeFile(file, reference.mask ? mask : picture);
    const media = { ...reference.media, size_bytes: mask.length, width: WIDTH, height: HEIGHT };
    return { ...reference, file, media };
  });
  return { ...job, references: await Promise.all(references) };
}

async function adapted(job: UpstreamEngineJob, picture = mask): Promise<UpstreamEngineJob> {
  const { references, ...rest } = await stored(job, picture);
  return { ...rest, references: await adaptMasks(tools, references, folder, {}) };
}

/** A job whose mask is the wrong way round. */
async function inverted(job: UpstreamEngineJob, polarity: MaskSpec['polarity']): Promise<UpstreamEngineJob> {
  const { references, ...rest } = await adapted(job);
  const bytes = await sharp(mask)
    .negate(polarity === 'white')
    .toColourspace('srgb')
    .joinChannel(Buffer.from(rows(polarity === 'transparent' ? STORED : STORED.map(() => 255))), {
      raw: { width: WIDTH, height: HEIGHT, channels: 1 },
    })
    .png()
    .toBuffer();
  for (const reference of references) if (reference.mask) await writeFile(reference.file, bytes);
  return { ...rest, references };
}

const pixelsOf = async (png: Buffer) => {
  const { format, width, height, hasAlpha } = await sharp(png).metadata();
  const pixels = [...(await sharp(png).toColourspace('srgb').ensureAlpha().raw().toBuffer())];
  return { format, width, height, hasAlpha, pixels };
};
const SIZE = { format: 'png', width: WIDTH, height: HEIGHT };

describe('OpenAI', () => {
  const sent: FakeOpenAiRequest[] = [];
  const openAi = usePresetFixture(openAiPreset, 'sk-proj-0123456789', (upstream) =>
    createFakeOpenAiHandler(upstream, sent),
  );

  it('gets a mask that is transparent where it changes, beside the images', async () => {
    openAi.server.upstream.outputs = [mask];
    const options = { task: 'image.edit', model: 'imgmodel-a-2.5-flare' } as const;
    const input = {
      prompt: 'A cat',
      quality: 'low',
      size: '1024x1024',
      images: [1, 2].map((at) => ({ url: `https://a.test/${at}.png` })),
    };
    const job = await openAi.createJob({ ...input, mask: { url: 'https://a.test/mask.png' } }, options);
    expect(await openAi.createAdapter(options).submit(await adapted(job))).toMatchObject({ status: 'succeeded' });
    expect(sent[0]?.files.map(({ field }) => field)).toEqual(['image[]', 'image[]', 'mask']);
    const alpha = STORED.map((white, at) => [white, white, white, KEPT[at] ?? 0]);
    const bytes = sent[0]?.files[2]?.bytes ?? Buffer.alloc(0);
    expect(await pixelsOf(bytes)).toEqual({ ...SIZE, hasAlpha: true, pixels: rows(alpha.flat()) });
    expect(sent[0]?.files[0]?.bytes.equals(mask)).toBe(true);
    await expect(openAi.createAdapter(options).submit(await stored(job))).rejects.toMatchObject({
      message: expect.stringContaining('missing alpha channel'),
    });
    await expect(openAi.createAdapter(options).submit(await adapted(job, larger))).rejects.toMatchObject({
      message: expect.stringContaining('mask size does not match image'),
    });
    await expect(openAi.createAdapter(options).submit(await inverted(job, 'transparent'))).rejects.toMatchObject({
      message: expect.stringContaining('not transparent where'),
    });
  });
});

describe('fal', () => {
  const fal = useAddedFal();
  it.each([
    ['white', 'bria/fibo-edit/edit', 'mask_url', STORED],
    ['black', 'fal-ai/kling-video/v1/standard/image-to-video', 'static_mask_url', KEPT],
  ] as const)('gets a mask that is %s where it changes', async (polarity, endpoint, name, expected) => {
    const model = await versionOf(endpoint);
    const picture = { url: 'https://example.com/a.png' };
    const prompt = endpoint.startsWith('fal-ai') ? { prompt: 'A boat' } : {};
    const job = await fal.createJob(model, { input: { ...prompt, image_url: picture, [name]: picture } });
    const run = async (submitted: UpstreamEngineJob) => {
      const state = await fal.createAdapter(model).submit(submitted);
      fal.setState('succeeded');
      return state.status === 'accepted' ? fal.createAdapter(model).poll(submitted, state.handle) : state;
    };
    expect(await run(await adapted(job))).toMatchObject({ status: 'succeeded' });
    const url = String(fal.record.submits[0]?.input[name]);
    const { bytes } = fal.record.uploads[Number(/in-(\d+)$/.exec(url)?.[1])] ?? {};
    expect(await pixelsOf(Buffer.from(bytes ?? ''))).toEqual({ ...SIZE, hasAlpha: false, pixels: gray(expected) });

    await expect(run(await adapted(job, larger))).rejects.toThrow('The mask must have the same size as the image.');
    await expect(run(await inverted(job, polarity))).rejects.toThrow('does not mark what this model changes');
  });
});

describe('Replicate', () => {
  const account = createFakeReplicateState();
  const bench = usePresetServer('r8_secret', (upstream) => createFakeReplicateHandler(upstream, account));

  it.each([
    ['white', 'acme/sdxl', STORED],
    ['black', 'acme/fill', KEPT],
  ] as const)('gets a mask that is %s where it changes, as the description says', async (polarity, slug, expected) => {
    account.created = [];
    const address = { provider_model: slug };
    const { version } = await readAddedModel(addedReplicateModels, bench.connect(), address, 'replicate');
    const picture = { url: 'https://example.com/a.png' };
    const job = await createAddedJob(version, { image: picture, mask: picture }, folder);
    const adapter = addedReplicateModels.createAdapter(bench.connect(), version);
    const run = async (submitted: UpstreamEngineJob) => {
      const state = await adapter.submit(submitted);
      for (const each of bench.server.upstream.jobs) each.state = 'succeeded';
      return state.status === 'accepted' ? adapter.poll(submitted, state.handle) : state;
    };
    bench.server.upstream.outputs = [mask];
    expect(await run(await adapted(job))).toMatchObject({ status: 'succeeded' });
    const [, base64 = ''] = String(account.created[0]?.input['mask']).split(';base64,');
    expect(await pixelsOf(Buffer.from(base64, 'base64'))).toEqual({ ...SIZE, hasAlpha: false, pixels: gray(expected) });

    await expect(run(await adapted(job, larger))).rejects.toThrow('must have the same size');
    await expect(run(await inverted(job, polarity))).rejects.toThrow('does not mark what this model changes');
  });
});

it('leaves other files alone, and reads transparency of a stored mask as kept', async () => {
  const file = join(folder, 'half.png');
  const half = { width: 1, height: 1, channels: 4 } as const;
  await sharp(Buffer.from([255, 255, 255, 0]), { raw: half })
    .png()
    .toFile(file);
  const media = {
    kind: 'image',
    mime_type: 'image/png',
    extension: 'png',
    size_bytes: 1,
    width: 1,
    height: 1,
  } as const;
  const none = { duration_seconds: null, fps: null, has_audio: false };
  const picture = { path: 'image', url: '', role: null, file, media: { ...media, ...none } };
  const tied = { ...picture, path: 'mask', mask: { of: 'image', polarity: 'white' } as const };
  const [same, kept] = await adaptMasks(tools, [picture, tied], folder, {});
  expect(same).toBe(picture);
  expect((await pixelsOf(await readFile(kept?.file ?? ''))).pixels).toEqual([0, 0, 0, 255]);
});

it('turns a masked photo upright, whose mask was painted as it is shown', async () => {
  const file = join(folder, 'photo.jpg');
  const create = { width: 4, height: 2, channels: 3, background: '#f00' } as const;
  await sharp({ create }).withMetadata({ orientation: 6 }).jpeg().toFile(file);
  const media = {
    kind: 'image',
    mime_type: 'image/jpeg',
    extension: 'jpg',
    size_bytes: 1,
    width: 2,
    height: 4,
  } as const;
  const none = { duration_seconds: null, fps: null, has_audio: false };
  const photo = { path: 'images.0', url: '', role: null, file, media: { ...media, ...none } };
  const white = { ...photo, path: 'mask', mask: { of: 'images.0', polarity: 'white' } as const };
  const [turned, other] = await adaptMasks(tools, [photo, { ...photo, path: 'images.1' }, white], folder, {});
  expect(turned?.media).toMatchObject({ mime_type: 'image/png', width: 2, height: 4 });
  expect(await sharp(turned?.file).metadata()).toMatchObject({ format: 'png', width: 2, height: 4 });
  expect(other?.file).toBe(file);
});
