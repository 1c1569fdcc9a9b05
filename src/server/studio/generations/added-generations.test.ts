import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { addedModelsFixture, PER_RUN } from '#server/models/added-models/testing/added-models-fixture.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { waitFor } from './testing/wait-for.ts';

const models = addedModelsFixture();
let paint: AddedModel;
let speech: AddedModel;
let upscale: AddedModel;
let picture: { id: string; url: string };

beforeAll(async () => {
  paint = await models.publish('acme/paint/lora', { markup_percent: 50 });
  speech = await models.publish('acme/speech');
  upscale = await models.publish('acme/upscale', { task: 'image.upscale', price: PER_RUN });
  const { service, media } = models;
  picture = await media.upload(service, service.organization_id, media.picture());
});

it('lists a published model with its task, form and price', async () => {
  const { service } = models;
  const member = service.keys.member;
  const tasks = (await service.call('list_tasks', { key: null })).body.data;
  expect(tasks.find(({ id }) => id === 'audio.speech')).toMatchObject({ available: true, models: [speech.id] });
  expect(tasks.find(({ id }) => id === 'image.create')?.models).toContain(paint.id);
  const list = (await service.call('list_models', { key: member })).body.data;
  expect(list.find(({ id }) => id === paint.id)).toMatchObject({
    name: 'Acme Paint with LoRA',
    available: true,
    engine: 'upstream',
    tasks: [{ task: 'image.create', defaults: { num_images: 1 } }],
    added: { version: 1, provider: 'fal', bound_usd: '0.12' },
  });
  const pricing = (await service.call('get_pricing', { key: member })).body;
  expect(pricing.added?.find(({ model }) => model === paint.id)).toMatchObject({
    task: 'image.create',
    price: { unit: 'image', unit_price_micro_usd: 30_000 },
  });
  const body = { task: 'image.create', model: paint.id, input: { prompt: 'a pear', num_images: 2 } };
  expect((await service.call('create_estimate', { key: null, body })).body).toMatchObject({
    amount_usd: '0.06',
    basis: 'exact',
    line_items: [{ description: 'Acme Paint with LoRA', quantity: '2', unit: 'image', unit_price_usd: '0.03' }],
  });
});

describe('a test', () => {
  it('of a draft is charged, tagged and listed with estimate, charge, cost and time', async () => {
    const { service } = models;
    const { id } = await models.create('acme/paint/lora', { name: 'Tested', markup_percent: 50 });
    const test = { params: { model_id: id }, body: { input: { prompt: 'a pear' } }, idempotency_key: 'test-1' };
    const [first, again] = [await service.call('test_added_model', test), await service.call('test_added_model', test)];
    expect(again.body.id).toBe(first.body.id);
    expect(first.body).toMatchObject({ metadata: { model_test: id }, model: id, model_version: 1 });
    const done = await models.complete(first.body.id);
    expect(done).toMatchObject({ status: 'succeeded', usage: { amount_usd: '0.03', billing_status: 'settled' } });
    const read = (await service.call('get_added_model', { params: { model_id: id } })).body;
    expect(read).toMatchObject({
      state: 'draft',
      tests: [
        { generation_id: done.id, status: 'succeeded', estimate_usd: '0.03', charge_usd: '0.03', cost_usd: '0.02' },
      ],
    });
    expect(read.tests[0]?.seconds).toEqual(expect.any(Number));
    // An order that calls itself a test is none.
    const body = { task: 'image.create', model: id, input: { prompt: 'a pear' }, metadata: { model_test: id } };
    expect((await service.call('create_generation', { body })).status).toBe(201);
    expect((await service.call('get_added_model', { params: { model_id: id } })).body.tests).toEqual(read.tests);
    const other = { ...test, body: { input: { prompt: 'a plum' } } };
    expect(await service.callError('test_added_model', other)).toMatchObject({ status: 409 });
    const sample_asset_id = done.output?.assets[0]?.id ?? '';
    expect(await models.change(id, { sample_asset_id, state: 'published' })).toMatchObject({ sample_asset_id });
    const foreign = { params: { model_id: paint.id }, body: { sample_asset_id } };
    expect(await service.callError('update_added_model', foreign)).toMatchObject({ status: 422 });
  });

  it('keeps to the form, the scopes of the key and the funds', async () => {
    const { service } = models;
    const params = { model_id: paint.id };
    const invalid = { params, body: { input: { prompt: 'x', num_images: 9 } }, idempotency_key: 'test-2' };
    expect(await service.callError('test_added_model', invalid)).toMatchObject({ status: 422 });
    const scopes = { tasks: null, models: [speech.id], read_only: false };
    const body = { name: 'Speech only', kind: 'organization', scopes };
    const { key } = (await service.call('create_api_key', { body })).body;
    const limited = { key, params, body: { input: { prompt: 'x' } }, idempotency_key: 'test-3' };
    expect(await service.callError('test_added_model', limited)).toMatchObject({ status: 401 });
  });
});

describe('a generation', () => {
  it('takes a field of every kind, its media too', async () => {
    const { url } = picture;
    const studio = await models.publish('acme/studio', { task: 'video.create', price: PER_RUN });
    models.upstream.outputs = [await readFile(models.media.clip())];
    const input = {
      prompt: 'a pear',
      style: 'warm',
      steps: 8,
      strength: 0.25,
      frames: 33,
      loop: true,
      bpm: '120',
      fps: null,
      image_size: { width: 640, height: 480 },
      image_url: { url },
      reference_image_urls: [{ url }],
      camera: { zoom: 1.5, shake: true },
      elements: [{ image_url: { url }, scale: 2 }],
      loras: [{ path: 'acme/style', scale: 0.5 }],
      tags: ['one', 'two'],
      weights: [0.5, 1],
      effects: ['grain'],
      advanced: { masks: [{ points: [{ x: 1 }] }] },
    };
    const done = await models.run(studio, input);
    expect(done).toMatchObject({
      status: 'succeeded',
      model: studio.id,
      model_version: 1,
      output: { assets: [{ type: 'video' }] },
    });
    const sent = models.record.submits.at(-1)?.input;
    expect(sent).toMatchObject({
      style: 'warm',
      steps: 8,
      loop: true,
      image_size: { width: 640, height: 480 },
      image_url: expect.stringMatching(/^(data:image|http)/),
      reference_image_urls: [expect.stringMatching(/^(data:image|http)/)],
      camera: { zoom: 1.5, shake: true },
      elements: [{ image_url: expect.stringMatching(/^(data:image|http)/), scale: 2 }],
      loras: [{ path: 'acme/style', scale: 0.5 }],
      tags: ['one', 'two'],
      weights: [0.5, 1],
      effects: ['grain'],
      masks: [{ points: [{ x: 1 }] }],
    });
    models.upstream.outputs = [await readFile(models.media.picture())];
  });

  it('has files of sound, and of several kinds', async () => {
    const { media, upstream } = models;
    const [image, sound] = [await readFile(media.picture()), await readFile(media.sound())];
    upstream.outputs = [sound];
    const spoken = await models.run(speech, { text: 'Once upon a time' });
    expect(spoken).toMatchObject({ status: 'succeeded', output: { assets: [{ type: 'audio', duration_seconds: 3 }] } });
    upstream.outputs = [image, sound];
    const mixed = await models.run(paint, { prompt: 'a pear' });
    expect(mixed.output?.assets.map(({ type }) => type)).toEqual(['image', 'audio']);
    upstream.outputs = [image];
    const mesh = await models.publish('acme/mesh', { price: PER_RUN });
    const done = await models.run(mesh, { image_urls: [{ url: picture.url }] });
    expect(done).toMatchObject({
      status: 'succeeded',
      output: { assets: [{ type: 'image' }], data: { other_files: [{ name: 'mesh.glb' }] } },
    });
  });

  it('succeeds with data alone, and is reviewed with neither files nor data', async () => {
    const { service, media } = models;
    const transcribe = await models.publish('acme/transcribe', { task: 'other.run', price: PER_RUN });
    const sound = await media.upload(service, service.organization_id, media.sound());
    const done = await models.run(transcribe, { audio_url: { url: sound.url } });
    expect(done).toMatchObject({ status: 'succeeded', output: { assets: [], data: { text: 'Once upon a time' } } });
    models.upstream.outputs = [];
    const inpaint = await models.publish('acme/inpaint', { price: PER_RUN });
    const { url } = picture;
    const empty = await models.run(inpaint, { prompt: 'a pear', image_url: { url }, mask_url: { url } });
    models.upstream.outputs = [await readFile(media.picture())];
    expect(empty).toMatchObject({ status: 'manual_review', usage: { billing_status: 'reserved' } });
    const decided = { params: { generation_id: empty.id }, body: { decision: 'reject', note: 'Empty.' } };
    await service.call('decide_review', decided);
    expect(await models.read(empty.id)).toMatchObject({ status: 'failed', usage: { billing_status: 'released' } });
  });

  it('is named in the ledger, the spending, the margin and the search', async () => {
    const { service } = models;
    const { id } = await models.run(paint, { prompt: 'a quince' });
    const { data } = (await service.call('list_ledger', { query: { generation_id: id } })).body;
    expect(data.map(({ type, model }) => `${type} ${model}`)).toEqual(
      ['SETTLE', 'RELEASE', 'RESERVE'].map((type) => `${type} ${paint.id}`),
    );
    const csv = await service.callCsv('export_ledger');
    expect(csv).toContain(paint.id);
    const spending = (await service.call('get_spending', { query: { by: 'model' } })).body;
    expect(JSON.stringify(spending)).toContain('Acme Paint with LoRA');
    const margin = (await service.call('get_margin', { query: { group_by: 'model' } })).body;
    expect(margin.data.find((row) => row.id === paint.id)).toMatchObject({ name: 'Acme Paint with LoRA' });
    const query = { model: paint.id };
    expect((await service.call('list_generations', { query })).body.data.map((each) => each.id)).toContain(id);
  });

  it('can be retried', async () => {
    models.state.next = 'failed';
    const failed = await models.run(paint, { prompt: 'a pear' });
    models.state.next = 'succeeded';
    expect(failed).toMatchObject({ status: 'failed', usage: { billing_status: 'released' } });
    const retry = await models.service.call('retry_generation', { params: { generation_id: failed.id } });
    expect(retry.body).toMatchObject({ retry_of: failed.id, model: paint.id, model_version: 1 });
    expect(await models.complete(retry.body.id)).toMatchObject({ status: 'succeeded' });
  });
});

it('runs in a batch', async () => {
  const { service } = models;
  const order = (prompt: string) => ({ task: paint.task, model: paint.id, input: { prompt } });
  const orders = [order('a pear'), order('a plum'), { ...order('x'), input: { prompt: 'x', num_images: 9 } }];
  const estimate = (await service.call('estimate_batch', { body: { orders } })).body;
  expect(estimate).toMatchObject({ amount_usd: '0.06', valid_count: 2, invalid_count: 1 });
  const { id } = (await service.call('create_batch', { body: { mode: 'list', orders: orders.slice(0, 2) } })).body;
  const done = await waitFor('the batch', async () => {
    const { body } = await service.call('get_batch', { params: { batch_id: id } });
    return body.status === 'completed' && body;
  });
  expect(done).toMatchObject({ counts: { succeeded: 2 } });
});

it('runs in a step of a workflow', async () => {
  const { service } = models;
  const steps = [
    { key: 'draw', name: 'Draw', task: paint.task, model: paint.id, input: { prompt: '{{input.what}}' } },
    {
      key: 'enlarge',
      name: 'Enlarge',
      task: upscale.task,
      model: upscale.id,
      input: { image_url: '{{steps.draw.output.assets[0]}}' },
    },
  ];
  const input_schema = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] };
  const body = { slug: 'draw-enlarge', name: 'Draw and enlarge', input_schema, steps };
  await service.call('create_workflow_starter', { body });
  const input = { what: 'a pear' };
  const estimated = await service.call('estimate_workflow', { params: { slug: 'draw-enlarge' }, body: { input } });
  expect(estimated.body).toMatchObject({ maximum_usd: '0.13' });
  const { id } = (await service.call('create_workflow_run', { body: { starter_slug: 'draw-enlarge', input } })).body;
  const run = await waitFor('the run', async () => {
    const read = (await service.call('get_workflow_run', { params: { workflow_run_id: id } })).body;
    return ['succeeded', 'failed', 'canceled'].includes(read.status) && read;
  });
  expect(run).toMatchObject({ status: 'succeeded', usage: { amount_usd: '0.13' } });
});

it('is saved as a preset, with media inside rows', async () => {
  const { service } = models;
  const studio = (await service.call('list_added_models')).body.data.find(({ name }) => name === 'Acme Studio');
  const model = studio?.id ?? '';
  const input = { style: 'cold', elements: [{ image_url: { url: picture.url }, scale: 1 }] };
  const preset = { name: 'Elements', task: 'video.create', model, input };
  const saved = (await service.call('create_preset', { body: preset })).body;
  const read = (await service.call('get_preset', { params: { preset_id: saved.id } })).body;
  expect(read).toMatchObject({ model, missing_media: [] });
  const [element] = read.input['elements'] as { image_url: { url: string } }[];
  expect(element?.image_url.url).toMatch(/\?.+/);
  await service.call('delete_upload', { params: { upload_id: picture.id } });
  const without = (await service.call('get_preset', { params: { preset_id: saved.id } })).body;
  expect(without.missing_media).toEqual(['elements']);
  expect(without.input['elements']).toEqual([{ scale: 1 }]);
  picture = await models.media.upload(service, service.organization_id, models.media.picture());
});

it('is within the scopes of keys and the budgets of models', async () => {
  const { service } = models;
  const scopes = { tasks: null, models: [paint.id], read_only: false };
  const { key } = (await service.call('create_api_key', { body: { name: 'Paint', kind: 'member', scopes } })).body;
  expect(await models.order(paint, { prompt: 'a pear' }, { key })).toMatchObject({ status: 201 });
  expect(await models.order(speech, { text: 'x' }, { key })).toMatchObject({ status: 401 });
  const budget = { scope: `model:${speech.id}`, interval: 'day', limit_usd: '0.0001' };
  const { id } = (await service.call('set_budget', { body: budget })).body;
  expect(await models.order(speech, { text: 'x'.repeat(3_000) })).toMatchObject({
    status: 402,
    error: { message: expect.stringContaining(speech.id) },
  });
  expect(await models.order(paint, { prompt: 'a pear' })).toMatchObject({ status: 201 });
  await service.call('delete_budget', { params: { budget_id: id } });
});

it('is named in a request for approval', async () => {
  const { service } = models;
  const { session: key } = await service.addPerson('member', 'Noa');
  await service.call('update_settings', { body: { approval_above_usd: '0.02' } });
  const generation = { task: paint.task, model: paint.id, input: { prompt: 'a pear' } };
  expect(await models.order(paint, { prompt: 'a pear' }, { key })).toMatchObject({
    status: 402,
    error: { code: 'approval_required' },
  });
  const asked = { kind: 'order', note: 'Please.', order: { type: 'generation', generation } };
  const single = (await service.call('create_request', { key, body: asked })).body;
  expect(JSON.stringify(single)).toContain(paint.id);
  const batch = { type: 'batch', batch: { mode: 'together', orders: [generation, generation] } };
  const both = (await service.call('create_request', { key, body: { ...asked, order: batch } })).body;
  expect(both).toMatchObject({ order: { model: paint.id, task: paint.task } });
  await service.call('update_settings', { body: { approval_above_usd: null } });
});

it('does not show costs that no one asked for', async () => {
  const response = await models.order(paint, { prompt: 'a pear' });
  expect(isErrorResponse(response)).toBe(false);
  expect(JSON.stringify(response)).not.toContain('cost_usd');
});
