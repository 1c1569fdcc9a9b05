import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AddedModel } from '#contract/resources/added-model.ts';
import { addedModelsFixture, PER_RUN } from '#server/models/added-models/testing/added-models-fixture.ts';

const models = addedModelsFixture();
let paint: AddedModel;

// The provider takes $0.02 an image, this installation $0.03.
beforeAll(async () => {
  paint = await models.publish('acme/paint/lora', { markup_percent: 50 });
});
beforeEach(() => {
  models.record.billing = 'as_listed';
  models.state.next = 'succeeded';
});

const readJob = async (generation_id: string) =>
  (await models.service.call('get_upstream_job', { params: { generation_id } })).body;

describe('a provider that bills', () => {
  it.each([
    ['as listed', 'as_listed', '0.06', '0.04', 'computed'],
    ['more: charged is what was reserved', 'more', '0.06', '0.12', 'computed'],
    ['less: charged is what was billed', 'less', '0.03', '0.02', 'computed'],
    ['late', 'late', '0.06', '0.04', 'list'],
    ['never', 'never', '0.06', '0.04', 'list'],
  ] as const)('%s', async (_what, billing, amount_usd, cost_usd, cost_basis) => {
    models.record.billing = billing;
    const done = await models.run(paint, { prompt: 'a pear', num_images: 2 });
    expect(done).toMatchObject({ status: 'succeeded', usage: { amount_usd, billing_status: 'settled' } });
    expect(await models.entriesOf(done.id)).toEqual(['RESERVE -0.06', 'RELEASE 0.06', `SETTLE -${amount_usd}`]);
    expect(await readJob(done.id)).toMatchObject({ cost_usd, cost_basis, provider: { name: 'fal' } });
  });

  it('nothing for a failure, which releases the reservation', async () => {
    models.state.next = 'failed';
    models.record.billing = 'never';
    const failed = await models.run(paint, { prompt: 'a pear' });
    expect(failed).toMatchObject({ status: 'failed', usage: { billing_status: 'released' } });
    expect(await models.entriesOf(failed.id)).toEqual(['RESERVE -0.03', 'RELEASE 0.03']);
  });
});

describe('another version', () => {
  it('does not change the price of what was ordered before', async () => {
    await models.stopWorker();
    const ordered = await models.order(paint, { prompt: 'a pear' });
    if (!('body' in ordered)) return expect.fail(JSON.stringify(ordered.error));
    const repriced = await models.change(paint.id, { markup_percent: 900 });
    expect(repriced).toMatchObject({ version: 2, bound_usd: '0.80' });
    await models.startWorker();
    expect(await models.complete(ordered.body.id)).toMatchObject({
      status: 'succeeded',
      model_version: 1,
      usage: { amount_usd: '0.03' },
    });
    const next = await models.run(paint, { prompt: 'a pear' });
    expect(next).toMatchObject({ status: 'succeeded', model_version: 2, usage: { amount_usd: '0.20' } });
  });

  it('of another task runs new orders alone as that', async () => {
    const { id } = await models.publish('acme/paint/lora', { name: 'Moved' });
    await models.stopWorker();
    const ordered = await models.order({ id, task: 'image.create' }, { prompt: 'a pear' });
    if (!('body' in ordered)) return expect.fail(JSON.stringify(ordered.error));
    const { hash, price } = await models.draftOf('acme/paint/lora');
    const params = { model_id: id };
    const stale = { params, body: { hash: 'other', price, task: 'other.run' } };
    expect(await models.service.callError('upgrade_added_model', stale)).toMatchObject({
      status: 409,
      error: { code: 'schema_changed' },
    });
    const { body } = await models.service.call('upgrade_added_model', {
      params,
      body: { hash, price, task: 'other.run' },
    });
    expect(body).toMatchObject({ version: 2, task: 'other.run', state: 'published' });
    await models.startWorker();
    expect(await models.complete(ordered.body.id)).toMatchObject({ status: 'succeeded', task: 'image.create' });
    expect(await models.order({ id, task: 'image.create' }, { prompt: 'x' })).toMatchObject({
      status: 400,
      error: { code: 'unsupported_task' },
    });
    expect(await models.run({ id, task: 'other.run' }, { prompt: 'x' })).toMatchObject({ status: 'succeeded' });
    const compared = (await models.service.call('compare_added_model', { params })).body;
    expect(compared.changes).toEqual([]);
  });
});

describe.each([
  ['paused', 'video.create', 'model_unavailable', 'Acme Motion is paused.'],
  ['removed', 'video.create', 'model_not_found', 'Acme Motion was removed.'],
  // The only model of its task.
  ['paused', 'other.run', 'model_unavailable', 'Acme Motion is paused.'],
  ['removed', 'other.run', 'model_not_found', 'Acme Motion was removed.'],
] as const)('a %s model of %s', (state, task, code, message) => {
  it('fails queued work with its reason, takes no order and keeps what names it', async () => {
    const { service } = models;
    const others = (await service.call('list_added_models', {})).body.data.filter(
      (model) => model.task === 'other.run',
    );
    for (const other of others)
      if (other.state !== 'removed') await service.call('remove_added_model', { params: { model_id: other.id } });
    const { id } = await models.publish('acme/motion/text-to-video', { task, price: PER_RUN });
    const input = { prompt: 'a pear' };
    const slug = `names-${state}-${task.replace('.', '-')}`;
    const steps = [{ key: 'a', name: 'A', task, model: id, input }];
    const starter = { slug, name: slug, input_schema: { type: 'object', properties: {} }, steps };
    await service.call('create_workflow_starter', { body: starter });
    const preset = (await service.call('create_preset', { body: { name: slug, task, model: id, input } })).body;
    await models.stopWorker();
    const queued = await models.order({ id, task }, input);
    if (!('body' in queued)) return expect.fail(JSON.stringify(queued.error));
    if (state === 'paused') await models.change(id, { state });
    else await service.call('remove_added_model', { params: { model_id: id } });
    await models.startWorker();
    expect(await models.complete(queued.body.id)).toMatchObject({
      status: 'failed',
      error: { code: 'model_unavailable', message: expect.stringContaining(message) },
      usage: { billing_status: 'released' },
    });
    const refused = { status: 400, error: { code, message } };
    expect(await models.order({ id, task }, input)).toMatchObject(refused);
    const { body: batch } = await service.call('estimate_batch', { body: { orders: [{ task, model: id, input }] } });
    expect(batch.orders).toMatchObject([{ amount_usd: null, error: { code, message } }]);
    const retry = { params: { generation_id: queued.body.id } };
    expect(await service.callError('retry_generation', retry)).toMatchObject(refused);
    const run = { starter_slug: slug, input: {} };
    expect(await service.callError('create_workflow_run', { body: run })).toMatchObject(refused);
    expect((await service.call('get_workflow_starter', { params: { slug } })).body.steps).toMatchObject([
      { model: id },
    ]);
    const read = (await service.call('get_preset', { params: { preset_id: preset.id } })).body;
    expect(read).toMatchObject({ model: id, input });
    if (state === 'removed') return;
    await models.change(id, { state: 'published' });
    expect(await models.order({ id, task }, input)).toMatchObject({ status: 201 });
  });
});
