import { beforeAll, describe, expect, it } from 'vitest';
import { MODEL_IDS } from '#contract/ids.ts';
import { PER_RUN, addedModelsFixture } from './testing/added-models-fixture.ts';

const models = addedModelsFixture();
const PATHS = ['/v1/tasks', '/v1/models', '/v1/pricing'] as const;
const ESTIMATE = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } };

/** What a caller sees of the catalog: texts and the headers that caches read. */
async function readCatalog(key: string | null) {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` };
  const requests = [
    ...PATHS.map((url) => ({ method: 'GET', url, headers }) as const),
    { method: 'POST', url: '/v1/estimate', headers, payload: ESTIMATE } as const,
  ];
  return Promise.all(
    requests.map(async (request) => {
      const response = await models.service.app.inject(request);
      const { 'cache-control': cacheControl, vary, etag } = response.headers;
      return { status: response.statusCode, text: response.payload, cacheControl, vary, etag };
    }),
  );
}

describe('a model before it is published', () => {
  let before: Awaited<ReturnType<typeof readCatalog>>;
  let draft: string;
  beforeAll(async () => {
    before = await readCatalog(null);
    draft = (await models.create('acme/speech', { name: 'Draft of speech' })).id;
  });

  it('changes no answer of the catalog, nor its headers', async () => {
    const [tasks, list] = before;
    expect(JSON.parse(tasks?.text ?? '').data).toHaveLength(12);
    expect(JSON.parse(tasks?.text ?? '').extra.map(({ id }: { id: string }) => id)).toEqual(['image.transform']);
    expect(JSON.parse(list?.text ?? '').data.map(({ id }: { id: string }) => id)).toEqual(MODEL_IDS);
    expect(before.map(({ cacheControl }) => cacheControl)).toEqual(['no-cache', 'no-cache', 'no-cache', 'no-store']);
    expect(before.map(({ vary }) => vary ?? '').join()).not.toContain('Authorization');
    expect(await readCatalog(null)).toEqual(before);
    expect(await readCatalog(models.service.keys.member)).toEqual(before);
  });

  it('is seen by its managers alone, in private answers', async () => {
    const [tasks, list] = await readCatalog(models.service.keys.organization);
    expect(tasks?.text).toContain('audio.speech');
    expect(list?.text).toContain(draft);
    expect(list).toMatchObject({ cacheControl: 'private, no-cache', vary: expect.stringContaining('Authorization') });
  });

  it('can’t be ordered by others', async () => {
    const order = { id: draft, task: 'image.create' } as const;
    const member = models.service.keys.member;
    const response = await models.order(order as never, { text: 'x' }, { key: member });
    expect(response).toMatchObject({ status: 400, error: { code: 'model_not_found' } });
    const hidden = await models.order({ ...order, task: 'audio.speech' } as never, { text: 'x' }, { key: member });
    expect(hidden).toMatchObject({ status: 400, error: { code: 'task_not_found' } });
  });
});

describe('adding a model', () => {
  it('searches, inspects and creates what the provider has', async () => {
    const { service, provider_id } = models;
    const providers = (await service.call('list_model_providers')).body.data;
    expect(providers).toMatchObject([{ id: provider_id, provider: 'fal', has_search: true }]);
    const found = await service.call('search_provider_models', { body: { provider_id, q: 'motion' } });
    expect(found.body.data).toMatchObject([{ provider_model: 'acme/motion/text-to-video', name: 'Acme Motion' }]);
    const inspection = await models.inspect('https://fal.ai/models/acme/motion/text-to-video');
    expect(inspection).toMatchObject({
      provider_model: 'acme/motion/text-to-video',
      published_price: { unit_price: 0.1, unit: 'seconds' },
      price_text: expect.stringContaining('1080p costs twice'),
      suggested: {
        task: 'video.create',
        price: { unit: 'second', quantity: { from: 'result' } },
        price_problem: expect.stringContaining('The provider’s text has more than this price in it.'),
      },
      advanced: null,
    });
    const { price } = inspection.suggested;
    const body = await models.draftOf('acme/motion/text-to-video', {
      markup_percent: 20,
      price: { ...(price ?? expect.fail()), cap_micro_usd: 1_000_000 },
    });
    const { body: created } = await service.call('create_added_model', { body });
    expect(created).toMatchObject({ state: 'draft', version: 1, markup_percent: 20, tests: [], bound_usd: '1.20' });
    const { data } = (await service.call('list_added_models')).body;
    expect(data.find(({ id }) => id === created.id)).toMatchObject({ name: 'Acme Motion', state: 'draft' });
  });

  it.each([
    ['another schema', { hash: 'sha256-other' }, 409, 'schema_changed', undefined],
    ['a task without models', { task: 'video.trim' as const }, 422, 'invalid_request', 'task'],
    [
      'a price without bound',
      { price: { ...PER_RUN, quantity: { from: 'result' as const, largest: null } } },
      422,
      'invalid_request',
      'price',
    ],
    [
      'a price of an unknown field',
      { price: { ...PER_RUN, outputs: { field: 'count' } } },
      422,
      'invalid_request',
      'price',
    ],
  ])('rejects %s', async (_what, changes, status, code, path) => {
    const body = await models.draftOf('acme/inpaint', changes);
    const response = await models.service.callError('create_added_model', { body });
    expect(response).toMatchObject({ status, error: { code } });
    if (path !== undefined) expect(response.error.details?.[0]?.path).toBe(path);
  });

  it('says what is wrong with an address', async () => {
    const { service, provider_id } = models;
    const inspect = (address: string, provider = provider_id) =>
      service.callError('inspect_model', { body: { provider_id: provider, address } });
    expect(await inspect('not a model')).toMatchObject({ status: 422, error: { details: [{ path: 'address' }] } });
    expect(await inspect('acme/unknown')).toMatchObject({ status: 400, error: { details: [{ path: 'address' }] } });
    expect(await inspect('acme/speech', '01m7y6v0gyeg6ksk7hyezzk3qs')).toMatchObject({ status: 404 });
  });

  it('gives models of the same name ids of their own, also at the same time', async () => {
    const body = await models.draftOf('acme/upscale', { name: 'Größer & größer', price: PER_RUN });
    const created = await Promise.all(
      Array.from({ length: 3 }, () => models.service.call('create_added_model', { body })),
    );
    const ids = created.map((response) => response.body.id).sort();
    expect(ids).toEqual(['added-gro-er-gro-er', 'added-gro-er-gro-er-2', 'added-gro-er-gro-er-3']);
  });

  it('never uses an id again', async () => {
    const first = await models.create('acme/upscale', { name: 'Once', price: PER_RUN });
    await models.service.call('remove_added_model', { params: { model_id: first.id } });
    const second = await models.create('acme/upscale', { name: 'Once', price: PER_RUN });
    expect([first.id, second.id]).toEqual(['added-once', 'added-once-2']);
    const again = await models.service.callError('update_added_model', {
      params: { model_id: first.id },
      body: { state: 'published' },
    });
    expect(again).toMatchObject({ status: 404, error: { code: 'not_found' } });
  });

  it('keeps each of several simultaneous repricings as a version', async () => {
    const { id } = await models.create('acme/upscale', { name: 'Repriced', price: PER_RUN });
    await Promise.all([1, 2, 3].map((markup_percent) => models.change(id, { markup_percent })));
    const read = (await models.service.call('get_added_model', { params: { model_id: id } })).body;
    expect(read.versions.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    expect(read.version).toBe(4);
  });
});

describe('other organizations', () => {
  it('see nothing of a model, and do not manage models', async () => {
    const { id, task } = await models.publish(
      'acme/speech',
      { name: 'Ours alone' },
      { roles: ['administrator'], tags: null },
    );
    const { key } = await models.service.addOrganization();
    const { service } = models;
    for (const call of [
      service.callError('list_added_models', { key }),
      service.callError('get_added_model', { key, params: { model_id: id } }),
      service.callError('update_added_model', { key, params: { model_id: id }, body: { state: 'paused' } }),
      service.callError('remove_added_model', { key, params: { model_id: id } }),
      service.callError('test_added_model', {
        key,
        params: { model_id: id },
        body: { input: {} },
        idempotency_key: 'a',
      }),
    ])
      expect((await call).status).toBe(401);
    expect((await service.call('list_models', { key })).body.data.map((model) => model.id)).toEqual([...MODEL_IDS]);
    expect((await service.call('get_pricing', { key })).body).not.toHaveProperty('added');
    expect(await models.order({ id, task }, { text: 'x' }, { key })).toMatchObject({
      error: { code: 'task_not_found' },
    });
    const preset = { name: 'Theirs', task, model: id, input: { text: 'x' } };
    expect(await service.request('create_preset', { key, body: preset })).toMatchObject({ status: 422 });
  });

  it('do not see a published model of everybody either', async () => {
    const { id } = await models.publish('acme/speech', { name: 'For everybody of us' });
    const { key } = await models.service.addOrganization();
    expect((await models.service.call('list_models', { key })).body.data).toHaveLength(MODEL_IDS.length);
    expect((await models.service.call('list_models', { key: null })).body.data.map((model) => model.id)).toContain(id);
  });
});

describe('the audience of a model', () => {
  it('hides it from other roles, and without a credential', async () => {
    const { service } = models;
    const { id, task } = await models.publish(
      'acme/paint/lora',
      { name: 'For administrators' },
      {
        roles: ['administrator'],
        tags: null,
      },
    );
    const ids = async (key: string | null) =>
      (await service.call('list_models', { key })).body.data.map((model) => model.id);
    const admin = (await service.addPerson('administrator', 'Ada')).session;
    const member = (await service.addPerson('member', 'Mia')).session;
    expect(await ids(admin)).toContain(id);
    for (const key of [member, service.keys.member, null]) {
      expect(await ids(key)).not.toContain(id);
      const estimate = { task, model: id, input: { prompt: 'a pear' } };
      expect(await service.callError('create_estimate', { key, body: estimate })).toMatchObject({
        status: 400,
        error: { code: 'model_not_found' },
      });
    }
    const headers = (await service.call('list_models', { key: member })).headers;
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: expect.stringContaining('Cookie') });
    expect((await service.call('list_models', { key: null })).headers['cache-control']).toBe('no-cache');
  });

  it('wants the tags that it names from each order, batch and workflow run', async () => {
    const { service } = models;
    await service.call('set_tag', {
      params: { tag_name: 'client' },
      body: { label: 'Client', required: false, values: null },
    });
    const { id, task } = await models.publish(
      'acme/paint/lora',
      { name: 'For Acme' },
      {
        roles: null,
        tags: { client: 'Acme' },
      },
    );
    const expected = {
      status: 400,
      error: { code: 'model_not_allowed', message: 'For Acme is for work with the tag client: Acme.' },
    };
    const input = { prompt: 'a pear' };
    expect(await models.order({ id, task }, input)).toMatchObject(expected);
    expect(await models.order({ id, task }, input, { metadata: { client: 'Other' } })).toMatchObject(expected);
    expect(await models.order({ id, task }, input, { metadata: { client: 'Acme' } })).toMatchObject({ status: 201 });
    const orders = [
      { task, model: id, input },
      { task, model: id, input },
    ];
    const untagged = (await service.call('estimate_batch', { body: { orders } })).body;
    expect(untagged.orders).toMatchObject([{ error: { code: 'model_not_allowed' } }, {}]);
    const tagged = (await service.call('estimate_batch', { body: { orders, metadata: { client: 'Acme' } } })).body;
    expect(tagged.valid_count).toBe(2);
    expect(await service.callError('create_batch', { body: { mode: 'together', orders } })).toMatchObject({
      status: 400,
    });
    const steps = [{ key: 'a', name: 'A', task, model: id, input }];
    const body = { slug: 'tagged', name: 'Tagged', input_schema: { type: 'object', properties: {} }, steps };
    await service.call('create_workflow_starter', { body });
    const run = { starter_slug: 'tagged', input: {} };
    expect(await service.callError('create_workflow_run', { body: run })).toMatchObject(expected);
    const started = await service.call('create_workflow_run', { body: { ...run, metadata: { client: 'Acme' } } });
    expect(started.status).toBe(201);
    // A test needs none.
    const test = { params: { model_id: id }, body: { input }, idempotency_key: 'tagged' };
    expect(await service.call('test_added_model', test)).toMatchObject({ status: 201 });
  });
});
