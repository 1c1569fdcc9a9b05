import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

const bench = useMediaFixture();
const engine = createScriptedEngine();
const SWITCHED_OFF = new Set(['video.concat', 'image.create imgmodel-b-pro', 'image.edit imgmodel-b-pro']);
const partial = {
  ...engine,
  supports: (task: string, model: string | null) => !SWITCHED_OFF.has(task) && !SWITCHED_OFF.has(`${task} ${model}`),
};
const service = useSharedService(() => ({ engines: [partial], fetcher: bench.fetcher }));
let studio: TestOrganization;
beforeAll(async () => {
  studio = await service.createOrganization('50');
});
beforeEach(() => {
  bench.fetcher.files.clear();
  bench.fetcher.fetched.length = 0;
});

const create = (task: string, model: string | null, input: Record<string, unknown>) =>
  studio.call('create_generation', { body: { task, model, input } });
const refusal = async (task: string, model: string | null, input: Record<string, unknown>) => {
  const { status, error } = await studio.callError('create_generation', { body: { task, model, input } });
  return { status, code: error.code, message: error.message, paths: error.details?.map(({ path }) => path) };
};
const upload = (file: string, organization_id = studio.organization_id) =>
  bench.upload(service.get(), organization_id, file);

describe('task and model errors', () => {
  it.each([
    ['image.paint', 'imgmodel-a-2', 'task_not_found'],
    ['video.concat', 'no-model', 'task_unavailable'],
    ['image.create', null, 'model_required'],
    ['video.trim', 'no-model', 'model_not_allowed'],
    ['image.create', 'no-model', 'model_not_found'],
    ['image.create', 'vidmodel-c-2', 'unsupported_task'],
    ['image.create', 'imgmodel-b-pro', 'model_unavailable'],
  ])('%s on %s returns %s regardless of the input', async (task, model, code) => {
    expect(await refusal(task, model, { nonsense: true })).toMatchObject({ status: 400, code });
  });
});

describe('a new generation', () => {
  it('is queued with defaults, line items and a reserved price', async () => {
    const { status, body } = await create('image.create', 'imgmodel-a-2.5-flare', { prompt: 'a lighthouse' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      object: 'generation',
      status: 'queued',
      input: { prompt: 'a lighthouse', quality: 'low', size: '1024x1024' },
      progress: null,
      output: { assets: [], data: null },
      error: null,
      metadata: null,
      retry_of: null,
      workflow_run_id: null,
      started_at: null,
      completed_at: null,
      usage: { amount_usd: '0.004745', billing_status: 'reserved' },
    });
    const sum = body.usage.line_items.reduce((total, { amount_usd }) => total + Number(amount_usd), 0);
    expect(sum).toBeCloseTo(0.004745, 9);
    const read = await studio.call('get_generation', { params: { generation_id: body.id } });
    expect(read.body).toEqual(body);
  });

  it('stores its metadata', async () => {
    const order = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    const { body } = await studio.call('create_generation', { body: { ...order, metadata: { campaign: 'spring' } } });
    expect(body.metadata).toEqual({ campaign: 'spring' });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v']));
    expect((await studio.callError('create_generation', { body: { ...order, metadata: many } })).status).toBe(422);
  });

  it('returns 422 with one detail per problem for an invalid input', async () => {
    const bad = await refusal('image.create', 'imgmodel-a-2', { prompt: ' ', aspect_ratio: '7:5', extra: 1 });
    expect(bad).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(bad.paths?.sort()).toEqual(['input.aspect_ratio', 'input.extra', 'input.prompt']);
  });

  it('requires an organization key', async () => {
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    const { keys } = service.get();
    expect((await studio.callError('create_generation', { body, key: keys.publishing })).status).toBe(401);
    expect((await studio.callError('create_generation', { body, key: null })).status).toBe(401);
    expect((await studio.call('create_generation', { body, key: keys.member })).status).toBe(201);
  });
});

describe('references to own media', () => {
  it('accept an upload by a valid or expired link', async () => {
    const { url } = await upload(bench.picture());
    expect((await create('image.edit', 'imgmodel-a-2', { prompt: 'x', images: [{ url }] })).status).toBe(201);
    const stale = url.replace(/expires=\d+/, 'expires=1');
    expect((await create('image.edit', 'imgmodel-a-2', { prompt: 'x', images: [{ url: stale }] })).status).toBe(201);
    expect(bench.fetcher.fetched).toEqual([]);
  });

  it('return the same 400 for deleted, foreign and unknown media', async () => {
    const other = await service.createOrganization('1');
    const theirs = await upload(bench.picture(), other.organization_id);
    const gone = theirs.url.replace(theirs.id, `upl_${'0'.repeat(26)}`);
    const odd = theirs.url.replace(theirs.id, 'readme');
    const refused = [];
    for (const url of [theirs.url, gone, odd]) {
      refused.push(await refusal('image.edit', 'imgmodel-a-2', { prompt: 'x', images: [{ url }] }));
    }
    expect(refused[0]).toMatchObject({ status: 400, code: 'invalid_request', paths: ['input.images.0'] });
    expect(refused[1]).toEqual(refused[0]);
    expect(refused[2]).toEqual(refused[0]);
    expect(bench.fetcher.fetched).toEqual([]);
  });

  it('return 400 for a medium of the wrong kind', async () => {
    const { url } = await upload(bench.clip());
    const wrong = await refusal('image.edit', 'imgmodel-a-2', { prompt: 'x', images: [{ url }] });
    expect(wrong).toMatchObject({ status: 400, message: 'This must be an image; the file is a video.' });
  });
});

describe('a mask', () => {
  it('has the size of its image', async () => {
    const { url } = await upload(bench.picture());
    const file = join(tmpdir(), `mask-${randomUUID()}.png`);
    await sharp({ create: { width: 36, height: 64, channels: 3, background: '#fff' } })
      .png()
      .toFile(file);
    const mask = await upload(file);
    await rm(file);
    const edit = { prompt: 'x', images: [{ url }] };
    expect((await create('image.edit', 'imgmodel-a-2', { ...edit, mask: { url } })).status).toBe(201);
    expect(await refusal('image.edit', 'imgmodel-a-2', { ...edit, mask: { url: mask.url } })).toMatchObject({
      status: 422,
      message: 'A mask must have the size of its image. The mask is 36 × 64, the image 64 × 36 pixels.',
      paths: ['input.mask'],
    });
  });
});

describe('times and lengths', () => {
  it('return 400 if the end is not after the start', async () => {
    const video = { url: 'https://media.example/a.mp4' };
    for (const [start_seconds, end_seconds] of [
      [2, 2],
      [3, 1],
      [0, 0],
    ]) {
      const bad = await refusal('video.trim', null, { video, start_seconds, end_seconds });
      expect(bad).toMatchObject({ status: 400, paths: ['input.end_seconds'] });
    }
    expect((await create('video.trim', null, { video, end_seconds: 1 })).body.usage.amount_usd).toBe('0.00');
  });

  it('price an edit by the length of an own video', async () => {
    const { url } = await upload(bench.clip());
    const { body } = await create('video.edit', 'vidmodel-c-2.5', { prompt: 'x', video: { url } });
    expect(body.usage).toMatchObject({
      amount_usd: '0.68',
      line_items: [{ unit: 'second' }, { description: 'Minimum charge' }],
    });
    expect(bench.fetcher.fetched).toEqual([]);
  });

  it('fetch an external video once to price it and delete it afterwards', async () => {
    bench.fetcher.files.set('https://media.example/a.mp4', bench.clip());
    const video = { url: 'https://media.example/a.mp4' };
    const { body } = await create('video.edit', 'vidmodel-c-2.5', { prompt: 'x', video });
    expect(Number(body.usage.line_items[0]?.quantity)).toBeCloseTo(5, 1);
    expect(bench.fetcher.fetched).toEqual([video.url]);
    expect(await createWorkerFixture(service).listTempDirs()).toEqual([]);
  });

  it('price a lip sync by the lengths that its mode needs and fetch nothing else', async () => {
    bench.fetcher.files.set('https://media.example/a.mp4', bench.clip());
    bench.fetcher.files.set('https://media.example/a.wav', bench.sound());
    const input = { video: { url: 'https://media.example/a.mp4' }, audio: { url: 'https://media.example/a.wav' } };
    const priced = async (sync_mode: string) =>
      Number((await create('video.lipsync', 'lipsync-v3', { ...input, sync_mode })).body.usage.amount_usd);
    expect(await priced('silence')).toBeCloseTo((5 / 60) * 8, 2);
    expect(bench.fetcher.fetched).toEqual([input.video.url]);
    expect(await priced('loop')).toBeCloseTo((3 / 60) * 8, 2);
    expect(await priced('cut_off')).toBeCloseTo((3 / 60) * 8, 2);
    expect(bench.fetcher.fetched).toHaveLength(4);
  });

  it('return 400 for a reference that is unreachable, unsupported or of the wrong length', async () => {
    const edit = (url: string) => refusal('video.edit', 'vidmodel-c-2.5', { prompt: 'x', video: { url } });
    expect(await edit('https://media.example/none.mp4')).toMatchObject({
      status: 400,
      message: 'There is no such server.',
      paths: ['input.video'],
    });
    bench.fetcher.files.set('https://media.example/page.mp4', import.meta.filename);
    expect((await edit('https://media.example/page.mp4')).status).toBe(400);
    bench.fetcher.files.set('https://media.example/long.mp4', bench.longClip());
    const long = await edit('https://media.example/long.mp4');
    expect(long).toMatchObject({ status: 400, message: 'The video must be 4 to 30 seconds long; it is 31.' });
    bench.fetcher.files.set('https://media.example/a.wav', bench.sound());
    expect((await edit('https://media.example/a.wav')).message).toBe(
      'This must be a video; the file is an audio file.',
    );
  });

  it('count the known reference videos of an edit', async () => {
    const clip = await upload(bench.clip());
    const references = Array.from({ length: 6 }, () => ({ url: clip.url }));
    const bad = await refusal('video.edit', 'vidmodel-c-2.5', {
      prompt: 'x',
      video: { url: clip.url },
      reference_videos: references,
    });
    expect(bad).toMatchObject({ status: 400, paths: ['input.reference_videos'] });
    expect(bad.message).toContain('35 seconds');
  });

  it('do not fetch references that do not affect the price', async () => {
    const images = [{ url: 'https://media.example/none.png' }];
    expect((await create('image.edit', 'imgmodel-a-2', { prompt: 'x', images })).status).toBe(201);
    expect(bench.fetcher.fetched).toEqual([]);
  });
});

it('validates the input before the media and the media before the funds', async () => {
  const poor = await service.createOrganization('0');
  const attempt = (input: Record<string, unknown>) =>
    poor.callError('create_generation', { body: { task: 'image.edit', model: 'imgmodel-a-2', input } });
  const { url } = await upload(bench.picture());
  expect((await attempt({ images: [{ url }] })).status).toBe(422);
  expect((await attempt({ prompt: 'x', images: [{ url }] })).status).toBe(400);
  expect((await attempt({ prompt: 'x', images: [{ url: 'https://media.example/a.png' }] })).status).toBe(402);
});

it('leaves no row of a rejected request', async () => {
  const { db } = service.get().deps;
  const before = await db.$count(generations);
  await refusal('image.create', 'imgmodel-a-2', {});
  await refusal('video.edit', 'vidmodel-c-2.5', { prompt: 'x', video: { url: 'https://media.example/none.mp4' } });
  expect(await db.$count(generations)).toBe(before);
});
