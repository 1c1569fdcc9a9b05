import { readFile } from 'node:fs/promises';
import Replicate, { type Prediction } from 'replicate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#server/app/testing/free-port.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { useMediaFixture } from '#server/studio/generations/testing/media-fixture.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';

const GPT_IMAGE = 'openai/gpt-image-2';
const media = useMediaFixture();
const engine = createScriptedEngine();
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const baseUrl = `${origin}/compat/replicate/v1`;
const service = useSharedService(() => ({ engines: [engine], config: { publicUrl: origin } }));
const workers = createWorkerFixture(service);
let studio: TestOrganization;
let client: Replicate;

const connect = (auth: string, options: ConstructorParameters<typeof Replicate>[0] = {}) =>
  new Replicate({ auth, baseUrl, ...options });
const send = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}, key = studio.key) =>
  fetch(`${baseUrl}${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
const post = (body: unknown, headers: Record<string, string> = {}, key = studio.key) =>
  send(
    '/predictions',
    { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } },
    key,
  );
const readGeneration = async (id: string) =>
  (await studio.call('get_generation', { params: { generation_id: id } })).body;

interface Problem {
  title: string;
  detail: string;
  status: number;
  type: string;
  invalid_fields?: { type: string; field: string; description: string }[];
}
const problemOf = async (response: Response): Promise<Problem> => (await response.json()) as Problem;
async function rejectionOf(request: Promise<unknown>): Promise<Problem> {
  const error = await request.then(
    () => expect.fail('An error was expected.'),
    (reason: unknown) => reason as Error,
  );
  const [, body = '{}'] = /failed with status \d+ [^:]*: (.*)\.$/s.exec(error.message) ?? [];
  return JSON.parse(body) as Problem;
}

beforeAll(async () => {
  await service.get().app.listen({ port, host: '127.0.0.1' });
  await workers.start();
  studio = await service.createOrganization('20.00');
  client = connect(studio.key);
});
afterAll(async () => {
  engine.unblock();
  await workers.stop();
});

describe('run', () => {
  it('blocks until there is a result, at the price of the catalog', async () => {
    const before = (await studio.call('get_billing_summary')).body.available_usd;
    const states: string[] = [];
    const output = await client.run(GPT_IMAGE, { input: { prompt: 'a lighthouse' } }, ({ status }) => {
      states.push(status);
    });
    expect(output).toEqual([expect.stringContaining(`${origin}/media/ast_`)]);
    expect((await fetch(String((output as string[])[0]))).headers.get('content-type')).toBe('image/png');
    expect(states.at(-1)).toBe('succeeded');
    const after = (await studio.call('get_billing_summary')).body.available_usd;
    expect(Number(before) - Number(after)).toBeCloseTo(0.03);
  });

  it('polls', async () => {
    const wait = { mode: 'poll', interval: 50 } as const;
    expect(await client.run('google/nano-banana-2', { input: { prompt: 'a pear' }, wait })).toEqual(
      expect.stringContaining('/media/ast_'),
    );
  });

  it('polls after the time of a wait is over', async () => {
    const running = client.run(GPT_IMAGE, { input: { prompt: 'wait here' }, wait: { mode: 'block', timeout: 1 } });
    setTimeout(() => engine.unblock(), 1_200);
    expect(await running).toHaveLength(1);
  });

  it('rejects with the reason of a failure', async () => {
    await expect(client.run(GPT_IMAGE, { input: { prompt: 'fail now' } })).rejects.toThrow(
      'Prediction failed: The scripted engine was told to fail.',
    );
  });

  it('takes a version', async () => {
    const { latest_version } = await client.models.get('google', 'nano-banana-2');
    const ref = `google/nano-banana-2:${latest_version?.id}` as const;
    const output = await client.run(ref, { input: { prompt: 'waves', output_format: 'jpg' } });
    expect(output).toEqual(expect.stringContaining('/media/ast_'));
  });
});

describe('a connection that breaks', () => {
  it('during a wait places no second order when the client repeats the request', async () => {
    const other = await service.createOrganization('20.00');
    const lost = connect(other.key);
    const started = engine.jobs.length + 1;
    const input = { prompt: 'hang on' };
    const running = lost.predictions.create({ model: GPT_IMAGE, input, wait: 2 });
    await engine.waitForStarted(started);
    service.get().app.server.closeAllConnections();
    const prediction = await running;
    expect(prediction.status).toBe('starting');
    const { data } = (await other.call('list_generations')).body;
    expect(data.map(({ id }) => id)).toEqual([prediction.id]);
    const next = await lost.predictions.create({ model: GPT_IMAGE, input });
    expect(next.id).not.toBe(prediction.id);
    await other.call('cancel_generations', { body: { ids: [prediction.id, next.id] } });
  });
});

describe('predictions', () => {
  it('are created, read, listed and canceled', async () => {
    const created = await client.predictions.create({ model: GPT_IMAGE, input: { prompt: 'hang here' } });
    expect(created).toMatchObject({
      id: expect.stringMatching(/^gen_/),
      model: GPT_IMAGE,
      version: (await client.models.get('openai', 'gpt-image-2')).latest_version?.id,
      status: 'starting',
      source: 'api',
      input: { prompt: 'hang here', aspect_ratio: 'auto' },
      output: null,
      error: null,
      data_removed: false,
      urls: {
        get: `${baseUrl}/predictions/${created.id}`,
        cancel: `${baseUrl}/predictions/${created.id}/cancel`,
        web: `${origin}/generations/${created.id}`,
      },
    });
    await expect.poll(async () => (await client.predictions.get(created.id)).status).toBe('processing');
    const { results } = await client.predictions.list();
    expect(results[0]).toMatchObject({ id: created.id, model: GPT_IMAGE });
    const canceled = await client.predictions.cancel(created.id);
    expect(canceled).toMatchObject({ id: created.id, status: 'canceled', completed_at: expect.any(String) });
    expect((await readGeneration(created.id)).usage).toMatchObject({ billing_status: 'released' });
  });

  it('have times, metrics and headers with cost and id', async () => {
    const response = await post({ version: GPT_IMAGE, input: { prompt: 'a cat' } }, { prefer: 'wait' });
    const prediction = (await response.json()) as Prediction;
    expect(response.status).toBe(201);
    expect(prediction).toMatchObject({ status: 'succeeded', started_at: expect.any(String) });
    expect(prediction.metrics).toEqual({ predict_time: expect.any(Number), total_time: expect.any(Number) });
    expect(response.headers.get('x-emulsion-generation-id')).toBe(prediction.id);
    expect(response.headers.get('x-emulsion-cost-usd')).toBe('0.03');
  });

  it('are named by owner and name, with a version, by a version alone and by our ids', async () => {
    const { latest_version } = await client.models.get('openai', 'gpt-image-2');
    const version = latest_version?.id ?? '';
    const input = { prompt: 'a name' };
    for (const named of [{ version }, { version: `${GPT_IMAGE}:${version}` }, { model: 'emulsion/imgmodel-a-2' }]) {
      const response = await post({ ...named, input });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({ model: GPT_IMAGE, version });
    }
    const own = await client.models.get('emulsion', 'video.trim');
    expect(own).toMatchObject({ owner: 'emulsion', name: 'video.trim' });
  });

  it('return 202 and “starting” when the time of a wait is over', async () => {
    const response = await post({ version: GPT_IMAGE, input: { prompt: 'hang long' } }, { prefer: 'wait=1' });
    expect(response.status).toBe(202);
    const { id, status } = (await response.json()) as Prediction;
    expect(status).toBe('starting');
    await client.predictions.cancel(id);
  });

  it('are answered at once when a key waits for too many', async () => {
    const body = { version: GPT_IMAGE, input: { prompt: 'hang' } };
    const responses = await Promise.all(Array.from({ length: 21 }, () => post(body, { prefer: 'wait=1' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    const predictions = (await Promise.all(responses.map((response) => response.json()))) as Prediction[];
    await studio.call('cancel_generations', { body: { ids: predictions.map(({ id }) => id) } });
  });

  it('are paged with the address of the next page', async () => {
    const paged = await service.createOrganization('20.00');
    for (let index = 0; index < 101; index += 1) await workers.create(paged, `number ${index}`);
    const pages: number[] = [];
    const ids = new Set<string>();
    const other = connect(paged.key);
    for await (const page of other.paginate(other.predictions.list)) {
      pages.push(page.length);
      for (const { id } of page) ids.add(id);
    }
    expect(pages).toEqual([100, 1]);
    expect(ids.size).toBe(101);
  });

  it('of others do not exist', async () => {
    const other = await service.createOrganization('1.00');
    const { id } = await client.predictions.create({ model: GPT_IMAGE, input: { prompt: 'mine' } });
    const response = await send(`/predictions/${id}`, {}, other.key);
    expect(response.status).toBe(404);
    expect(await problemOf(response)).toMatchObject({ title: 'Not found', status: 404, type: 'generation_not_found' });
    expect(await rejectionOf(connect(other.key).predictions.cancel(id))).toMatchObject({ status: 404 });
  });

  it('with tags, metadata and an idempotency key are placed once', async () => {
    const headers = { 'x-emulsion-metadata': '{"project":"sea"}', 'idempotency-key': 'once' };
    const [first, second] = [
      await post({ version: GPT_IMAGE, input: { prompt: 'once' } }, headers),
      await post({ version: GPT_IMAGE, input: { prompt: 'once' } }, headers),
    ];
    const { id } = (await first.json()) as Prediction;
    expect(await second.json()).toMatchObject({ id });
    expect((await readGeneration(id)).metadata).toEqual({ project: 'sea' });
    expect((await post({ version: GPT_IMAGE, input: { prompt: 'other' } }, headers)).status).toBe(409);
  });
});

describe('models', () => {
  it('have a version with the schema of the input, files as addresses', async () => {
    const model = await client.models.get('openai', 'gpt-image-2');
    expect(model).toMatchObject({ owner: 'openai', name: 'gpt-image-2', is_official: true, visibility: 'private' });
    const { results } = (await client.models.versions.list('openai', 'gpt-image-2')) as unknown as {
      results: { id: string }[];
    };
    expect(results.map(({ id }) => id)).toEqual([model.latest_version?.id]);
    const version = await client.models.versions.get('openai', 'gpt-image-2', results[0]?.id ?? '');
    expect(version.openapi_schema).toMatchObject({
      components: {
        schemas: {
          Input: {
            required: ['prompt'],
            properties: {
              prompt: { type: 'string' },
              resolution: { enum: ['1K', '2K', '4K'], default: '1K' },
              reference_images: { type: 'array', maxItems: 16, items: { type: 'string', format: 'uri' } },
              images: { type: 'array' },
            },
          },
          Output: { type: 'array', items: { type: 'string', format: 'uri' } },
        },
      },
    });
    expect(await rejectionOf(client.models.versions.get('openai', 'gpt-image-2', 'x'))).toMatchObject({ status: 404 });
    expect(await rejectionOf(client.models.get('openai', 'nothing'))).toMatchObject({ status: 404 });
  });

  it('are all listed', async () => {
    const slugs: string[] = [];
    for await (const page of client.paginate(client.models.list))
      slugs.push(...page.map(({ owner, name }) => `${owner}/${name}`));
    expect(slugs).toEqual(expect.arrayContaining([GPT_IMAGE, 'emulsion/omni-video', 'emulsion/video.trim']));
    expect(new Set(slugs).size).toBe(slugs.length);
  });
});

describe('files', () => {
  it('are created, listed, read, used as input and deleted', async () => {
    const bytes = await readFile(media.picture());
    const file = await client.files.create(new File([bytes], 'harbour.png', { type: 'image/png' }));
    expect(file).toMatchObject({ name: 'harbour.png', content_type: 'image/png', size: bytes.length, metadata: {} });
    expect(file.checksums.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await client.files.get(file.id)).toMatchObject({ id: file.id });
    expect(((await client.files.list()) as unknown as { results: unknown[] }).results).toHaveLength(1);
    const input = { prompt: 'make it night', input_images: [file.urls.get] };
    const prediction = await client.predictions.create({ model: GPT_IMAGE, input });
    expect(prediction.input).toMatchObject({ prompt: 'make it night', images: [expect.stringContaining(file.id)] });
    expect(await client.wait(prediction, { interval: 50 })).toMatchObject({ status: 'succeeded' });
    expect((await readGeneration(prediction.id)).task).toBe('image.edit');
    expect(await client.files.delete(file.id)).toBe(true);
    expect(await rejectionOf(client.files.get(file.id))).toMatchObject({ status: 404, title: 'Not found' });
  });

  it('take a file name, and nothing that is not kept', async () => {
    const content = new Blob([new Uint8Array(await readFile(media.picture()))], { type: 'image/png' });
    const create = (values: Record<string, string | Blob>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(values)) form.append(name, value);
      return send('/files', { method: 'POST', body: form });
    };
    const named = await create({ filename: 'pier.png', type: 'image/png', metadata: '{}', content });
    expect(await named.json()).toMatchObject({ name: 'pier.png' });
    const kept = await create({ content, metadata: '{"customer":1}' });
    expect(await problemOf(kept)).toMatchObject({ status: 422, invalid_fields: [{ field: 'metadata' }] });
    const other = await create({ content, expires: '1' });
    expect(await problemOf(other)).toMatchObject({ status: 422, invalid_fields: [{ field: 'expires' }] });
    const text = await create({ content: new Blob(['no picture']) });
    expect(await problemOf(text)).toMatchObject({ status: 400, type: 'invalid_media_upload' });
    expect(await problemOf(await create({}))).toMatchObject({
      detail: expect.stringContaining('Send the file as the form field “content”.'),
    });
  });

  it('are uploaded by the client for inputs that hold bytes', async () => {
    const input = { prompt: 'a ship', image_input: [await readFile(media.picture())] };
    expect(await client.run('google/nano-banana-2', { input })).toEqual(expect.stringContaining('/media/ast_'));
    expect(engine.jobs.find(({ input }) => input['prompt'] === 'a ship')?.references).toHaveLength(1);
  });

  it('can be data URIs in the input', async () => {
    const uri = `data:image/png;base64,${await readFile(media.picture(), 'base64')}`;
    const input = { prompt: 'a boat', image_input: [uri] };
    expect(await client.run('google/nano-banana-2', { input })).toEqual(expect.stringContaining('/media/ast_'));
    expect(engine.jobs.find(({ input }) => input['prompt'] === 'a boat')?.references).toHaveLength(1);
  });
});

describe('an account', () => {
  it('is the organization or the person', async () => {
    expect(await client.accounts.current()).toEqual({
      type: 'organization',
      username: 'another-studio',
      name: 'Another studio',
    });
    const { session } = await service.get().addPerson('member', 'Ada Byron');
    expect(await connect(session).accounts.current()).toMatchObject({ type: 'user', username: 'ada-byron' });
  });
});

describe('errors', () => {
  it.each([
    [{ prompt: '' }, 'input.prompt'],
    [{}, 'input.prompt'],
    [{ prompt: 'x', colour: 'red' }, 'input.colour'],
    [{ prompt: 'x', seed: 1 }, 'input.seed'],
    [{ prompt: 'x', quality: 'high' }, 'input.quality'],
    [{ prompt: 'x', number_of_images: 2 }, 'input.number_of_images'],
    [{ prompt: 'x', input_images: ['ftp://x'] }, 'input.input_images.0'],
    [{ prompt: 'x', input_images: ['data:image/png,x'] }, 'input.input_images'],
    [{ prompt: 'x', aspect_ratio: '2048x2048', resolution: '1K' }, 'input.resolution'],
  ])('of the input %j name %s', async (input, field) => {
    const problem = await rejectionOf(client.predictions.create({ model: GPT_IMAGE, input }));
    expect(problem).toMatchObject({ title: 'Input validation failed', status: 422 });
    expect(problem.invalid_fields?.map((each) => each.field)).toContain(field);
    expect(problem.detail).toContain(`- ${field}: `);
  });

  it.each([
    [{ input: { prompt: 'x' } }, 'version'],
    [{ version: GPT_IMAGE }, 'input'],
    [{ version: GPT_IMAGE, model: GPT_IMAGE, input: {} }, 'model'],
    [{ version: GPT_IMAGE, input: {}, stream: true }, 'stream'],
    [{ version: GPT_IMAGE, input: { prompt: 'NUL \u0000' } }, 'input.prompt'],
    ['text', ''],
    [{ version: GPT_IMAGE, input: {}, webhook_completed: 'https://x.test' }, 'webhook_completed'],
    [{ version: `${GPT_IMAGE}:${'a'.repeat(64)}`, input: {} }, 'version'],
    [{ version: 'a'.repeat(64), input: {} }, 'version'],
    [{ version: GPT_IMAGE, input: {}, webhook: 'http://example.com' }, 'webhook'],
    [{ version: GPT_IMAGE, input: {}, webhook_events_filter: ['start'] }, 'webhook_events_filter'],
  ])('of the request %j name %s', async (body, field) => {
    const response = await post(body);
    expect(response.status).toBe(422);
    expect((await problemOf(response)).invalid_fields?.map((each) => each.field)).toContain(field);
  });

  it('of a webhook that is not public name it', async () => {
    const response = await post({ version: GPT_IMAGE, input: { prompt: 'x' }, webhook: 'https://127.0.0.1/x' });
    expect(await problemOf(response)).toMatchObject({ status: 400, invalid_fields: [{ field: 'webhook' }] });
  });

  it.each([
    [{ prefer: 'wait=0' }, 'Prefer'],
    [{ prefer: 'wait=61' }, 'Prefer'],
    [{ prefer: 'return=minimal' }, 'Prefer'],
    [{ 'cancel-after': '5m' }, 'Cancel-After'],
  ])('of the headers %j name %s', async (headers, field) => {
    const response = await post({ version: GPT_IMAGE, input: { prompt: 'x' } }, headers);
    expect(await problemOf(response)).toMatchObject({ status: 422, invalid_fields: [{ field }] });
  });

  it('without funds are 402 with our sentence, and nothing is placed', async () => {
    const poor = await service.createOrganization('0.01');
    const problem = await rejectionOf(
      connect(poor.key).predictions.create({ model: GPT_IMAGE, input: { prompt: 'too dear' } }),
    );
    expect(problem).toMatchObject({ status: 402, title: 'Payment required', type: 'insufficient_balance' });
    expect(problem.detail).toMatch(/0\.03/);
    expect((await poor.call('list_generations')).body.data).toEqual([]);
  });

  it('of keys and their scopes are 401', async () => {
    expect(await rejectionOf(connect('wrong').predictions.list())).toMatchObject({
      title: 'Unauthenticated',
      status: 401,
      type: 'authentication_error',
    });
    expect((await fetch(`${baseUrl}/account`)).status).toBe(401);
    const body = {
      name: 'Videos',
      kind: 'organization',
      scopes: { read_only: false, tasks: ['video.create'], models: null },
    };
    const scoped = (await studio.call('create_api_key', { body })).body.key;
    const input = { prompt: 'x' };
    expect(await rejectionOf(connect(scoped).predictions.create({ model: GPT_IMAGE, input }))).toMatchObject({
      status: 401,
      title: 'Unauthenticated',
    });
    expect(await rejectionOf(connect(scoped).webhooks.default.secret.get())).toMatchObject({ status: 401 });
    expect((await send('/account', { headers: { authorization: `Token ${studio.key}` } })).status).toBe(200);
  });

  it('of paths and queries that are not here say so', async () => {
    expect(await problemOf(await send('/hardware'))).toMatchObject({ status: 404, title: 'Not found' });
    expect(await problemOf(await send('/predictions?source=web'))).toMatchObject({
      status: 422,
      invalid_fields: [{ field: 'source' }],
    });
    expect(await problemOf(await send('/predictions?cursor=x'))).toMatchObject({ status: 422 });
  });
});
