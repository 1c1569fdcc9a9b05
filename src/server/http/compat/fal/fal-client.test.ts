import { ApiError, type QueueStatus, ValidationError } from '@fal-ai/client';
import { describe, expect, it } from 'vitest';
import { connectFal, falFixture } from './testing/fal-fixture.ts';

const ORIGIN = 'https://app.example.com';
const fal = falFixture({ config: { allowedOrigins: [ORIGIN] } });
const IMAGE = 'fal-ai/nano-banana-2';
const refusal = (promise: Promise<unknown>): Promise<ApiError<{ detail: unknown }>> =>
  promise.then(
    () => expect.fail('The request was accepted.'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ApiError);
      return error as ApiError<{ detail: unknown }>;
    },
  );
const picture = async () =>
  new Blob(
    [
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    { type: 'image/png' },
  );

describe('the client of fal', () => {
  it('subscribes to a result', async () => {
    const updates: QueueStatus[] = [];
    const { data, requestId } = await fal.client.subscribe(IMAGE, {
      input: { prompt: 'a lighthouse', resolution: '2K', sync_mode: false, num_images: 1 },
      logs: true,
      pollInterval: 50,
      onQueueUpdate: (status) => updates.push(status),
    });
    expect(data).toEqual({
      images: [
        {
          url: expect.stringContaining(`${fal.url}/media/ast_`),
          content_type: 'image/png',
          file_name: expect.stringMatching(/^ast_\w+\.png$/),
          file_size: expect.any(Number),
          width: 4,
          height: 2,
        },
      ],
    });
    expect(updates.at(-1)).toMatchObject({ status: 'COMPLETED', metrics: { inference_time: expect.any(Number) } });
    expect(await fal.read(requestId)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-b-2',
      input: { prompt: 'a lighthouse', resolution: '2K' },
    });
  });

  it('submits, reads the status, its stream and the result, in both forms of the path', async () => {
    const submitted = await fal.client.queue.submit('fal-ai/nano-banana-pro', { input: { prompt: 'wait here' } });
    const { request_id: requestId } = submitted;
    expect(submitted).toMatchObject({
      status: 'IN_QUEUE',
      queue_position: 0,
      response_url: `${fal.url}/compat/fal/queue/fal-ai/nano-banana-pro/requests/${requestId}`,
      status_url: `${fal.url}/compat/fal/queue/fal-ai/nano-banana-pro/requests/${requestId}/status`,
      cancel_url: `${fal.url}/compat/fal/queue/fal-ai/nano-banana-pro/requests/${requestId}/cancel`,
    });
    await fal.engine.waitForStarted(1);
    const early = await refusal(fal.client.queue.result(IMAGE, { requestId }));
    const detail = 'Request is still in progress';
    expect(early).toMatchObject({ status: 400, message: expect.stringContaining(detail), body: { detail } });
    const stream = await fal.client.queue.streamStatus(IMAGE, { requestId, logs: true });
    const seen: string[] = [];
    stream.on('data', ({ status }) => seen.push(status));
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    fal.engine.unblock();
    await stream.done();
    expect(seen.at(-1)).toBe('COMPLETED');
    expect(await fal.client.queue.status(IMAGE, { requestId })).toMatchObject({ status: 'COMPLETED' });
    const path = `/queue/bytedance/seedance-2.0/text-to-video/requests/${requestId}`;
    expect(await (await fal.fetch('GET', `${path}/status`)).json()).toMatchObject({ status: 'COMPLETED' });
    const result = await fal.fetch('GET', path);
    expect(result.headers.get('x-fal-request-id')).toBe(requestId);
    expect(result.headers.get('x-emulsion-generation-id')).toBe(requestId);
    expect(result.headers.get('x-emulsion-cost-usd')).toMatch(/^0\.\d+$/);
    expect(await result.json()).toMatchObject({ images: [{ width: 4 }] });
  });

  it('cancels, and hears when it is too late', async () => {
    const { request_id: requestId } = await fal.client.queue.submit(IMAGE, { input: { prompt: 'hang here' } });
    await fal.client.queue.cancel(IMAGE, { requestId });
    await fal.workers.waitForStatus(fal.studio, requestId, 'canceled');
    expect(await fal.client.queue.status(IMAGE, { requestId })).toMatchObject({
      status: 'COMPLETED',
      error_type: 'client_cancelled',
    });
    expect(await refusal(fal.client.queue.result(IMAGE, { requestId }))).toMatchObject({ status: 499 });
    const late = await refusal(fal.client.queue.cancel(IMAGE, { requestId }));
    expect(late).toMatchObject({ status: 400, body: { status: 'ALREADY_COMPLETED' } });
  });

  it('runs and waits, with several images that are one request', async () => {
    const { data, requestId } = await fal.client.run(IMAGE, { input: { prompt: 'three boats', num_images: 3 } });
    expect(data.images).toHaveLength(3);
    expect(requestId).toMatch(/^bat_/);
    const again = await fal.client.queue.result(IMAGE, { requestId });
    expect(again.data.images.map(({ file_name }) => file_name)).toEqual(data.images.map(({ file_name }) => file_name));
    expect(await fal.client.queue.status(IMAGE, { requestId })).toMatchObject({ status: 'COMPLETED' });
  });

  it('gets a failure as its error', async () => {
    const failed = await refusal(fal.client.subscribe(IMAGE, { input: { prompt: 'fail now' }, pollInterval: 50 }));
    expect(failed).toMatchObject({ status: 500, message: 'The scripted engine was told to fail.' });
    expect(failed.requestId).toMatch(/^gen_/);
    const run = await refusal(fal.client.run(IMAGE, { input: { prompt: 'fail here' } }));
    expect(run).toMatchObject({ status: 500, body: { detail: 'The scripted engine was told to fail.' } });
  });

  it('sends files of the input', async () => {
    const { requestId } = await fal.client.run(`${IMAGE}/edit`, {
      input: { prompt: 'make it night', image_urls: [(await picture()) as unknown as string] },
    });
    expect(await fal.read(requestId)).toMatchObject({
      task: 'image.edit',
      model: 'imgmodel-b-2',
      input: { images: [{ url: expect.stringContaining(`${fal.url}/media/upl_`) }] },
    });
  });
});

describe('errors', () => {
  it('of fields are a ValidationError with our sentences', async () => {
    const error = await refusal(fal.client.run(IMAGE, { input: { prompt: '', image_urls: ['http://x'] } as never }));
    if (!(error instanceof ValidationError)) return expect.fail(error.message);
    expect(error.status).toBe(422);
    expect(error.getFieldErrors('prompt')).toEqual([
      { loc: ['body', 'prompt'], msg: expect.any(String), type: 'value_error' },
    ]);
    expect(error.fieldErrors.map(({ loc }) => loc.join('.'))).toContain('body.image_urls.0');
  });

  it.each([
    ['seed', 7],
    ['sync_mode', true],
    ['enable_safety_checker', false],
    ['num_images', 17],
    ['image_size', { width: 512, height: 512 }],
    ['duration', 5],
    ['video_url', 'https://example.com/a.mp4'],
  ])('names the parameter %s, which is refused', async (name, value) => {
    const error = await refusal(fal.client.queue.submit(IMAGE, { input: { prompt: 'x', [name]: value } as never }));
    expect(error).toBeInstanceOf(ValidationError);
    expect(error.body?.detail).toEqual([{ loc: ['body', name], msg: expect.any(String), type: 'value_error' }]);
  });

  it('name headers and settings that would change what happens', async () => {
    const input = { prompt: 'x' };
    for (const [settings, name] of [
      [{ priority: 'low' }, 'x-fal-queue-priority'],
      [{ storageSettings: { expiresIn: '1h' } }, 'x-fal-object-lifecycle-preference'],
    ] as const) {
      const error = await refusal(fal.client.queue.submit(IMAGE, { input, ...settings }));
      expect(error.body?.detail).toMatchObject([{ loc: ['body', name] }]);
    }
    await fal.client.queue.submit(IMAGE, {
      input,
      priority: 'normal',
      hint: 'runner-1',
      startTimeout: 30,
      headers: { 'x-fal-no-retry': '1' },
    });
  });

  it('of funds are 402 with our sentence', async () => {
    const poor = await fal.service.createOrganization('0.01');
    const error = await refusal(connectFal(fal.url, poor.key).subscribe(IMAGE, { input: { prompt: 'x' } }));
    expect(error).toMatchObject({ status: 402, message: expect.stringMatching(/\.$/) });
    expect(error.body?.detail).toBe(error.message);
    const several = connectFal(fal.url, (await fal.service.createOrganization('0.10')).key);
    expect(await refusal(several.run(IMAGE, { input: { prompt: 'x', num_images: 4 } }))).toMatchObject({ status: 402 });
  });

  it('of keys are 401', async () => {
    const input = { prompt: 'x' };
    expect(await refusal(connectFal(fal.url, 'unknown').run(IMAGE, { input }))).toMatchObject({ status: 401 });
    const scopes = { tasks: ['video.create'], models: null, read_only: false };
    const scoped = await fal.studio.call('create_api_key', { body: { name: 'Video', kind: 'organization', scopes } });
    const error = await refusal(connectFal(fal.url, scoped.body.key).run(IMAGE, { input }));
    expect(error).toMatchObject({ status: 401, message: expect.stringContaining('video.create') });
  });

  it('of endpoints, requests and target hosts are 404 and 400', async () => {
    const unknown = await refusal(fal.client.run('fal-ai/nothing', { input: {} }));
    expect(unknown).toMatchObject({ status: 404, message: 'There is no model “fal-ai/nothing” here.' });
    for (const requestId of ['gen_00000000000000000000000000', 'bat_00000000000000000000000000', 'x'])
      expect(await refusal(fal.client.queue.result(IMAGE, { requestId }))).toMatchObject({ status: 404 });
    const other = await fal.fetch('POST', '', {}, { 'x-fal-target-url': 'https://example.com/v1' });
    expect(other.status).toBe(400);
    expect(await other.json()).toMatchObject({ detail: expect.stringContaining('x-fal-target-url') });
    for (const path of ['/tokens/', '/storage/auth/token', '/nothing']) {
      const response = await fal.fetch('POST', path, {});
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ detail: `Emulsion does not offer POST ${path} of fal’s API.` });
    }
  });

  it('hide requests of others', async () => {
    const { request_id: requestId } = await fal.client.queue.submit(IMAGE, { input: { prompt: 'mine' } });
    const other = await fal.service.createOrganization('1.00');
    const error = await refusal(connectFal(fal.url, other.key).queue.status(IMAGE, { requestId }));
    expect(error).toMatchObject({ status: 404 });
  });
});

it('answers pages of other origins as configured', async () => {
  const response = await fal.service.get().app.inject({
    method: 'OPTIONS',
    url: '/compat/fal',
    headers: {
      origin: ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-fal-target-url',
    },
  });
  expect(response.statusCode).toBe(204);
  expect(String(response.headers['access-control-allow-headers'])).toContain('x-fal-target-url');
});

describe('programs without the client', () => {
  it('order by the same paths, with tags, metadata and an idempotency key', async () => {
    const headers = {
      'idempotency-key': 'boat-1',
      'x-emulsion-tags': 'client=acme',
      'x-emulsion-metadata': '{"shot":"7"}',
    };
    const order = () => fal.fetch('POST', `/queue/${IMAGE}`, { prompt: 'a boat' }, headers);
    const read = async (response: Response) => (await response.json()) as { request_id: string; status_url: string };
    const [first, second] = [await read(await order()), await read(await order())];
    expect(second.request_id).toBe(first.request_id);
    expect(await fal.read(first.request_id)).toMatchObject({ metadata: { client: 'acme', shot: '7' } });
    const bearer = { authorization: `Bearer ${fal.studio.key}` };
    const status = await fetch(first.status_url, { headers: bearer });
    expect(await status.json()).toMatchObject({ request_id: first.request_id });
  });

  it('refuse what is no object, and unknown query parameters', async () => {
    expect((await fal.fetch('POST', `/queue/${IMAGE}`, ['x'])).status).toBe(422);
    expect((await fal.fetch('POST', `/queue/${IMAGE}?fal_max_queue_length=3`, { prompt: 'x' })).status).toBe(422);
    const orderWith = async (hook: string) =>
      (await fal.fetch('POST', `/queue/${IMAGE}?fal_webhook=${hook}`, { prompt: 'x' })).status;
    expect([await orderWith('http://example.com'), await orderWith('https://127.0.0.1/x')]).toEqual([422, 400]);
    expect((await fal.fetch('POST', `/run/${IMAGE}?fal_webhook=https://example.com`, { prompt: 'x' })).status).toBe(
      422,
    );
  });

  it('join the order whose response was lost, once', async () => {
    const run = (signal?: AbortSignal) =>
      fetch(`${fal.url}/compat/fal/run/${IMAGE}`, {
        method: 'POST',
        headers: { authorization: `Key ${fal.studio.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'hang until the line breaks' }),
        ...(signal && { signal }),
      });
    const before = await fal.count();
    const controller = new AbortController();
    const lost = run(controller.signal);
    lost.catch(() => undefined);
    await expect.poll(fal.count).toBe(before + 1);
    controller.abort();
    await expect(lost).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const repeated = run();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await fal.count()).toBe(before + 1);
    const { data } = (await fal.studio.call('list_generations', { query: { limit: 1 } })).body;
    await fal.studio.call('cancel_generation', { params: { generation_id: data[0]?.id ?? '' } });
    expect((await repeated).status).toBe(499);
  });
});
