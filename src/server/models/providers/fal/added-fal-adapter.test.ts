import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import { neverRespond, respondWith, truncateResponse } from '#server/models/engine/testing/fake-upstream-server.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import { runAddedModel } from './added-fal-models.ts';
import { createFalAdapter } from './fal-adapter.ts';
import { useAddedFal, versionOf } from './testing/added-fal-fixture.ts';
import type { FakeBilling } from './testing/fake-fal-catalog.ts';
import { createFakeFalHandler } from './testing/fake-fal-server.ts';

const PAINT = await versionOf('acme/paint/lora', 'image.create');
const MOTION = await versionOf('acme/motion/text-to-video', 'video.create');
const SPEECH = await versionOf('acme/speech', 'audio.speech');
const UPSCALE = await versionOf('acme/upscale', 'image.upscale');
const INPAINT = await versionOf('acme/inpaint', 'image.edit');

describeUpstreamConformance('fal with an added model', {
  createHandler: (upstream) => createFakeFalHandler(upstream),
  createAdapter: (options) => createFalAdapter({ ...options, ...runAddedModel(PAINT, options.service.base_url) }),
  job: { task: 'image.create', model: PAINT.id, input: { prompt: 'A cat' } },
  cancelable_states: ['queued', 'running'],
  // Addresses of other servers that are not https are data.
  returns_urls: false,
});

const fal = useAddedFal();
const picture = { url: 'https://example.com/a.png' };
const sentInput = () => fal.record.submits[0]?.input ?? {};

describe('a job on an added model of fal', () => {
  it('sends every kind of field as its schema wants it, files uploaded', async () => {
    const model = await versionOf('acme/studio');
    expect(model.normalized.advanced?.names).toEqual(['masks']);
    const state = await fal.run(model, {
      prompt: 'A loop',
      style: 'warm',
      steps: 8,
      strength: 0.25,
      frames: 33,
      loop: true,
      bpm: '120',
      fps: null,
      image_size: { width: 640, height: 480 },
      image_url: picture,
      reference_image_urls: [picture, picture],
      camera: { zoom: 1.5, shake: true },
      elements: [{ image_url: picture, scale: 2 }],
      loras: [{ path: 'https://example.com/style.safetensors', scale: 0.5 }],
      tags: ['night', 'rain'],
      weights: [0.5, 1],
      effects: ['glow'],
      advanced: { masks: [{ points: [{ x: 1 }] }] },
    });
    expect(state).toMatchObject({ status: 'succeeded', result: { data: null } });
    const { image_url, reference_image_urls, elements, ...plain } = sentInput();
    expect(plain).toEqual({
      prompt: 'A loop',
      style: 'warm',
      steps: 8,
      strength: 0.25,
      frames: 33,
      loop: true,
      bpm: 120,
      fps: null,
      version: '3',
      image_size: { width: 640, height: 480 },
      camera: { zoom: 1.5, shake: true },
      loras: [{ path: 'https://example.com/style.safetensors', scale: 0.5 }],
      tags: ['night', 'rain'],
      weights: [0.5, 1],
      effects: ['glow'],
      masks: [{ points: [{ x: 1 }] }],
    });
    expect([image_url, reference_image_urls].flat().map(fal.uploadedAt)).toEqual([
      'image_url',
      'reference_image_urls.0',
      'reference_image_urls.1',
    ]);
    expect(elements).toEqual([{ image_url: expect.stringMatching(/\/files\/in-\d$/), scale: 2 }]);
    expect(fal.uploadedAt((elements as { image_url: string }[])[0]?.image_url)).toBe('elements.0.image_url');
  });

  it('sends defaults, and leaves out what is not set', async () => {
    await fal.run(await versionOf('acme/studio'), { prompt: 'A loop', style: 'cold', image_url: picture });
    expect(sentInput()).toMatchObject({ steps: 4, bpm: 'auto', fps: 16, image_size: 'square_hd', version: '3' });
    for (const name of ['camera', 'advanced', 'masks']) expect(sentInput()).not.toHaveProperty(name);
  });

  it('shows what the schema of fal rejects', async () => {
    const job = { ...(await fal.createJob(SPEECH, { input: { text: 'Hi' } })), input: { text: 'Hi', voice: 'eve' } };
    await expect(fal.createAdapter(SPEECH).submit(job)).rejects.toMatchObject({
      name: 'EngineError',
      message: expect.stringMatching(/^The provider rejected the request: voice: /),
    });
    expect(fal.server.upstream.jobs).toEqual([]);
  });

  it('is not sent without a file that the input names', async () => {
    const job = await fal.createJob(UPSCALE, { input: { image_url: picture } });
    await expect(fal.createAdapter(UPSCALE).submit({ ...job, references: [] })).rejects.toMatchObject({
      code: 'engine_failed',
    });
    expect(fal.server.upstream.jobs).toEqual([]);
  });

  it('returns image, video and sound of any field as files, and the rest as data', async () => {
    for (const [model, input, data] of [
      [SPEECH, { text: 'Hello' }, null],
      [UPSCALE, { image_url: picture }, { width: 1024, height: 1024 }],
      [INPAINT, { prompt: 'A door', image_url: picture, mask_url: picture }, { width: 1024, height: 1024 }],
      [MOTION, { prompt: 'A wave' }, { seed: 7 }],
    ] as const) {
      const state = await fal.run(model, input);
      if (state.status !== 'succeeded') return expect.fail(`${model.name}: ${state.status}`);
      expect(await Promise.all(state.result.files.map((file) => readFile(file, 'utf8')))).toEqual(['output']);
      expect(state.result.data).toEqual(data);
    }
  });

  it('links to files that the library does not hold', async () => {
    const state = await fal.run(await versionOf('acme/mesh'), { image_urls: [picture] });
    expect(state).toMatchObject({
      status: 'succeeded',
      result: { data: { other_files: [{ name: 'mesh.glb', url: expect.stringMatching(/\/files\/mesh\.glb$/) }] } },
    });
    expect(state.status === 'succeeded' && state.result.files).toHaveLength(1);
  });

  it('returns data without files where the model makes none', async () => {
    const sound = { url: 'https://example.com/a.mp3' };
    expect(await fal.run(await versionOf('acme/transcribe'), { audio_url: sound })).toMatchObject({
      status: 'succeeded',
      result: { files: [], data: { text: 'Once upon a time' } },
    });
  });

  it('fetches nothing from another server without https, or from a private address', async () => {
    fal.server.upstream.output_url = 'http://127.0.0.1:1/secret';
    expect(await fal.run(PAINT, { prompt: 'x' })).toMatchObject({ status: 'unclear' });
    fal.server.upstream.output_url = 'https://127.0.0.1:1/secret';
    await expect(fal.run(PAINT, { prompt: 'x' })).rejects.toMatchObject({
      name: 'EngineError',
      cost: { cost_micro_usd: 20_000n },
    });
  });

  it('drops what the safety checker blackened, and fails when nothing is left', async () => {
    fal.server.upstream.outputs = [Buffer.from('one'), Buffer.from('two')];
    fal.record.extra = { has_nsfw_concepts: [true, false] };
    const state = await fal.run(PAINT, { prompt: 'x', num_images: 2 });
    if (state.status !== 'succeeded') return expect.fail(state.status);
    expect(await Promise.all(state.result.files.map((file) => readFile(file, 'utf8')))).toEqual(['two']);
    fal.record.extra = { has_nsfw_concepts: [true, true] };
    await expect(fal.run(PAINT, { prompt: 'x' })).rejects.toMatchObject({
      code: 'content_refused',
      cost: { cost_micro_usd: 20_000n },
    });
    fal.record.extra = { has_nsfw_concepts: [true] };
    await expect(fal.run(UPSCALE, { image_url: picture })).rejects.toMatchObject({ code: 'content_refused' });
  });

  it('is canceled, and keeps the result that was complete before', async () => {
    const handle = await fal.submit(MOTION, { input: { prompt: 'A wave' } });
    const adapter = fal.createAdapter(MOTION);
    await adapter.cancel(handle, new AbortController().signal);
    expect(fal.server.upstream.jobs[0]?.state).toBe('canceled');
    fal.setState('succeeded');
    await adapter.cancel(handle, new AbortController().signal);
    expect(await fal.poll(MOTION, handle, { input: { prompt: 'A wave' } })).toMatchObject({ status: 'succeeded' });
  });

  it('ends with the reason of an abort', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    fal.server.injectFault(neverRespond(() => controller.abort(reason)));
    const input = { prompt: 'A wave' };
    await expect(fal.submit(MOTION, { input, signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('what fal bills for an added model', () => {
  const clip = { prompt: 'A wave', duration: '10', resolution: '1080p', audio: true };
  it.each<[FakeBilling, number | undefined, bigint | null]>([
    ['as_listed', 30, 3_000_000n],
    ['more', 90, 9_000_000n],
    ['less', 15, 1_500_000n],
    ['late', undefined, null],
    ['never', undefined, null],
  ])('is the cost and the units of its price: %s', async (billing, units, cost_micro_usd) => {
    fal.record.billing = billing;
    const state = await fal.run(MOTION, clip);
    expect(state).toMatchObject({ status: 'succeeded', cost_micro_usd });
    expect(state.status === 'succeeded' && state.result.units).toBe(units);
  });

  it('is converted to the unit of the price', async () => {
    const units = async (...[model, input]: Parameters<typeof fal.run>) => {
      const state = await fal.run(model, input);
      return state.status === 'succeeded' ? state.result.units : expect.fail(state.status);
    };
    const studio = await versionOf('acme/studio');
    const input = { prompt: 'A loop', style: 'cold', image_url: picture };
    expect(await units(SPEECH, { text: 'x'.repeat(500) })).toBe(0.5);
    expect(await units(studio, input)).toBe(15);
    expect(await units({ ...studio, price: { ...studio.price, unit: 'run' } }, input)).toBeUndefined();
    const masked = { prompt: 'A door', image_url: picture, mask_url: picture };
    expect(await units(INPAINT, masked)).toBe(2);
    const fixed = { ...INPAINT, price: { ...INPAINT.price, quantity: { from: 'one' as const } } };
    expect(await units(fixed, masked)).toBeUndefined();
  });
});

describe('a lost submit of an added model', () => {
  const lose = async (input: Record<string, unknown>) => {
    fal.server.injectFault(truncateResponse);
    await expect(fal.submit(MOTION, { input })).rejects.toMatchObject({ name: 'ResponseLostError' });
    fal.setState('running');
    const { task, model, input: parsed, submit_key, signal } = await fal.createJob(MOTION, { input });
    const lost = { task, model, input: parsed, submit_key, submitted_at: new Date(), signal };
    return fal.createAdapter(MOTION).findLostSubmit?.(lost);
  };

  it('is found by the seed that the person left to the model', async () => {
    const handle = (await lose({ prompt: 'A wave' })) ?? expect.fail('not found');
    expect(sentInput()['seed']).toBe(uniqueSeed('gen_1'));
    fal.setState('succeeded');
    expect(await fal.poll(MOTION, handle, { input: { prompt: 'A wave' } })).toMatchObject({ status: 'succeeded' });
  });

  it('is not found by a seed of the person', async () => {
    expect(await lose({ prompt: 'A wave', seed: 5 })).toBeNull();
    expect(sentInput()['seed']).toBe(5);
  });

  it('is not looked for where the model has no seed', async () => {
    expect(fal.createAdapter(SPEECH).findLostSubmit).toBeUndefined();
    await fal.submit(SPEECH, { input: { text: 'Hello' } });
    expect(sentInput()).not.toHaveProperty('seed');
  });

  it('is not looked for where the seed has bounds of its own', async () => {
    const { contract } = MOTION.normalized;
    const fields = contract.fields.map((field) => (field.name === 'seed' ? { ...field, max: 65_535 } : field));
    const bounded = { ...MOTION, normalized: { ...MOTION.normalized, contract: { ...contract, fields } } };
    expect(fal.createAdapter(bounded as typeof MOTION).findLostSubmit).toBeUndefined();
    await fal.submit(bounded as typeof MOTION, { input: { prompt: 'A wave' } });
    expect(sentInput()).not.toHaveProperty('seed');
  });

  it('may have created a job after an unreadable response', async () => {
    fal.server.injectFault(respondWith(200, '<html>'));
    await expect(fal.submit(SPEECH, { input: { text: 'Hello' } })).rejects.toMatchObject({ name: 'ResponseLostError' });
  });
});
