import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import {
  readRequestBody,
  sendJson,
  startFakeUpstream,
  type FakeUpstream,
  type FakeUpstreamServer,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import type { UpstreamEngineJob } from '#server/models/engine/upstream.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { httpOptions } from './http-options.ts';

const job = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'a pear' } } as const;

const jobIn = (workDir: string): UpstreamEngineJob => ({
  ...job,
  generation_id: 'gen_1',
  submit_key: 'gen_1',
  references: [],
  workDir,
  signal: new AbortController().signal,
  onProgress: () => undefined,
});

/** A fictional service that returns the file itself when it is ready, and before that JSON. */
const serveFiles =
  (upstream: FakeUpstream): RequestListener =>
  async (request, response) => {
    if (request.headers.authorization !== `Bearer ${upstream.api_key}`)
      return sendJson(response, 401, { error: 'Unknown key' });
    await readRequestBody(request);
    if (request.method === 'POST') return sendJson(response, 202, { id: upstream.createJob(null).id });
    const job = upstream.findJob((request.url ?? '').slice('/jobs/'.length));
    if (!job) return sendJson(response, 404, { error: 'No such job.' });
    const [file] = upstream.outputs;
    if (job.state === 'failed' || job.state === 'canceled') return sendJson(response, 200, { status: 'failed' });
    if (job.state !== 'succeeded') return sendJson(response, 202, { status: 'working' });
    if (!file) return sendJson(response, 200, { status: 'done' });
    const headers = { 'content-type': 'image/png', 'x-credits': '3' };
    const reason = upstream.refuses_content ? { 'finish-reason': 'CONTENT_FILTERED' } : {};
    response.writeHead(200, { ...headers, ...reason }).end(file);
  };

describeUpstreamConformance('a configured service that returns files', {
  createHandler: serveFiles,
  createAdapter: ({ service, api_key, max_output_bytes }) =>
    createHttpAdapter({
      service,
      api_key,
      max_output_bytes,
      options: z.parse(httpOptions, {
        submit: { path: '/jobs', body: '{ "prompt": input.prompt }' },
        handle: 'answer.id',
        poll: { path: '/jobs/{{ handle.id }}' },
        state: 'headers."finish-reason" = "CONTENT_FILTERED" ? "refused" : answer.status',
        file_response: 'poll',
        cost_usd: '$number(headers."x-credits") * 0.01',
      }),
    }),
  job,
  returns_urls: false,
});

describe('a response that is the file', () => {
  let upstream: FakeUpstreamServer;
  let workDir: string;
  const serveAtOnce = (): RequestListener => async (request, response) => {
    await readRequestBody(request);
    if (request.url === '/slow/jobs') return sendJson(response, 200, { status: 'done', id: 1 });
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'x-credits': '3' }).end('SOUND');
  };
  beforeAll(async () => {
    upstream = await startFakeUpstream('key', serveAtOnce);
    workDir = await mkdtemp(join(tmpdir(), 'emulsion-file-'));
  });
  afterAll(async () => {
    await upstream.close();
    await rm(workDir, { recursive: true });
  });

  it.each([
    ['submit', { submit: { path: '/jobs' }, file_response: 'submit' }],
    [
      'result',
      { submit: { path: '/slow/jobs' }, state: 'answer.status', result: { path: '/file' }, file_response: 'result' },
    ],
  ])('is saved with its cost: %s', async (_name, options) => {
    const adapter = createHttpAdapter({
      service: createFetcher().createService(upstream.base_url),
      api_key: null,
      options: z.parse(httpOptions, { ...options, cost_usd: '$number(headers."x-credits") * 0.01' }),
    });
    const state = await adapter.submit(jobIn(workDir));
    expect(state).toMatchObject({ status: 'succeeded', cost_micro_usd: 30_000n });
    if (state.status === 'succeeded') expect(await readFile(state.result.files[0] ?? '', 'utf8')).toBe('SOUND');
  });
});

it.each([
  ['answer.price', { cost_micro_usd: 20_000n, cost_basis: 'reported' }],
  ['$number(headers."x-credits".value)', null],
])('a job that failed has its cost by the expression %s', async (cost_usd, cost) => {
  const failing = await startFakeUpstream('key', () => async (request, response) => {
    await readRequestBody(request);
    sendJson(response, 200, { status: 'failed', price: 0.02 });
  });
  const adapter = createHttpAdapter({
    service: createFetcher().createService(failing.base_url),
    api_key: null,
    options: z.parse(httpOptions, { submit: { path: '/jobs' }, state: 'answer.status', cost_usd }),
  });
  await expect(adapter.submit(jobIn(tmpdir()))).rejects.toMatchObject({ code: 'engine_failed', cost });
  await failing.close();
});

describe('other origins of a service', () => {
  const servers: FakeUpstreamServer[] = [];
  const keys: unknown[] = [];
  let workDir: string;
  beforeAll(async () => {
    workDir = await mkdtemp(join(tmpdir(), 'emulsion-origins-'));
    const serve =
      (upstream: FakeUpstream): RequestListener =>
      (request, response) => {
        keys.push(request.headers['x-key']);
        if (request.url === '/file') return void response.end('PIXELS');
        if (request.method === 'POST')
          return sendJson(response, 200, { id: 1, polling_url: `${servers[1]?.base_url}/poll?id=1` });
        sendJson(response, 200, { status: 'Ready', sample: `${upstream.origin}/file` });
      };
    for (let count = 0; count < 2; count += 1) servers.push(await startFakeUpstream('key', serve));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await rm(workDir, { recursive: true });
  });

  const run = async (also_at: string[]) => {
    const [main] = servers;
    const { createService } = createFetcher();
    const adapter = createHttpAdapter({
      service: createService(main?.base_url ?? ''),
      other_services: also_at.map((origin) => createService(origin)),
      api_key: 'key',
      options: z.parse(httpOptions, {
        key_header: 'X-Key',
        submit: { path: '/jobs', body: '{ "prompt": input.prompt }' },
        also_at,
        handle: '{ "url": answer.polling_url }',
        poll: { path: '{{ handle.url }}' },
        state: 'answer.status',
        states: { Ready: 'done' },
        outputs: 'answer.sample',
      }),
    });
    const state = await adapter.submit(jobIn(workDir));
    return state.status === 'accepted' ? adapter.poll(jobIn(workDir), state.handle) : expect.fail(state.status);
  };

  it('are reached with the key when the operator names them', async () => {
    expect(await run([servers[1]?.base_url ?? ''])).toMatchObject({ status: 'succeeded' });
    expect(keys).toEqual(['key', 'key', 'key']);
  });

  it('are refused otherwise', async () => {
    await expect(run([])).rejects.toMatchObject({ name: 'EngineError' });
  });

  it.each(['https://a.example/path', 'a.example', 'https://user@a.example'])('must be origins: %s', (text) => {
    expect(z.safeParse(httpOptions, { submit: { path: '/' }, also_at: [text] }).success).toBe(false);
  });
});
