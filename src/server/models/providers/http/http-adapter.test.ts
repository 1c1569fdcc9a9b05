import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { describeUpstreamConformance } from '#server/models/engine/testing/upstream-conformance.ts';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { httpOptions } from './http-options.ts';

const STATE_NAMES = {
  queued: 'WAITING',
  running: 'AT_WORK',
  succeeded: 'READY',
  failed: 'BROKEN',
  canceled: 'STOPPED',
} as const satisfies Record<FakeUpstreamJob['state'], string>;

/** A fictional service with jobs: submit returns an id, polling returns a state and then URLs. */
const serveJobs =
  (upstream: FakeUpstream): RequestListener =>
  async (request, response) => {
    const url = new URL(request.url ?? '/', upstream.origin);
    const [, kind, id = ''] = url.pathname.split('/');
    if (kind === 'files') return response.end(upstream.outputs[Number(id)]);
    const key = request.headers['x-key'];
    if (key !== upstream.api_key) return sendJson(response, 401, { error: `Unknown key ${String(key)}` });
    if (request.method === 'POST' && kind === 'jobs') {
      const body = JSON.parse(String(await readRequestBody(request)));
      if (body.words !== 'a pear' || body.kind !== 'painter/1' || url.searchParams.get('wide') !== '16:9') {
        return sendJson(response, 400, { error: 'Not what this service takes.' });
      }
      if (upstream.refuses_content) return sendJson(response, 422, { reason: 'UNSAFE', message: 'No pears, please.' });
      const submit_key = request.headers['x-once'];
      return sendJson(response, 202, {
        job: upstream.createJob(typeof submit_key === 'string' ? submit_key : null).id,
      });
    }
    const job = upstream.findJob(id);
    if (!job) return sendJson(response, 404, { error: 'No such job.' });
    if (request.method === 'DELETE') {
      const is_complete = ['succeeded', 'failed', 'canceled'].includes(job.state);
      if (!is_complete) job.state = 'canceled';
      return sendJson(response, is_complete ? 409 : 200, {});
    }
    const urls = upstream.outputs.map((_, index) => upstream.output_url ?? `${upstream.origin}/files/${index}`);
    const pictures = job.state === 'succeeded' ? { pictures: urls.map((href) => ({ href })), price: 0.021 } : {};
    return sendJson(response, 200, { state: STATE_NAMES[job.state], share: 50, ...pictures });
  };

const job = {
  task: 'image.create',
  model: 'imgmodel-a-2',
  input: { prompt: 'a pear', aspect_ratio: '16:9' },
} as const;

describeUpstreamConformance('a configured service with jobs', {
  createHandler: serveJobs,
  createAdapter: ({ service, api_key, max_output_bytes }) =>
    createHttpAdapter({
      service,
      api_key,
      max_output_bytes,
      options: z.parse(httpOptions, {
        model: 'painter/1',
        key_header: 'X-Key',
        submit: {
          path: '/jobs',
          query: { wide: '{{ input.aspect_ratio }}' },
          body: '{ "words": input.prompt, "kind": options.model }',
        },
        submit_key_header: 'X-Once',
        handle: 'answer.job',
        poll: { path: '/jobs/{{ handle.id }}' },
        cancel: { method: 'DELETE', path: '/jobs/{{ handle.id }}' },
        state: 'answer.state',
        states: { WAITING: 'working', AT_WORK: 'working', READY: 'done', BROKEN: 'failed', STOPPED: 'canceled' },
        progress: 'answer.share / 100',
        outputs: 'answer.pictures.href',
        cost_usd: 'answer.price',
        refusal_codes: ['UNSAFE'],
      }),
    }),
  job,
  cancelable_states: ['queued', 'running'],
});

/** A fictional service that returns its outputs as base64 in the response to submit. */
const serveImmediately =
  (upstream: FakeUpstream): RequestListener =>
  async (request, response) => {
    const submit_key = request.headers.authorization;
    if (submit_key !== `Bearer ${upstream.api_key}`)
      return sendJson(response, 403, { message: `Unknown ${String(submit_key)}` });
    await readRequestBody(request);
    upstream.createJob(null);
    if (upstream.refuses_content) return sendJson(response, 200, { status: 'nsfw' });
    return sendJson(response, 200, { images: upstream.outputs.map((bytes) => ({ b64: bytes.toString('base64') })) });
  };

describeUpstreamConformance('a configured service without jobs', {
  createHandler: serveImmediately,
  createAdapter: ({ service, api_key, max_output_bytes }) =>
    createHttpAdapter({
      service,
      api_key,
      max_output_bytes,
      options: z.parse(httpOptions, {
        submit: { path: '/paint', body: '{ "prompt": input.prompt }' },
        state: 'answer.status = "nsfw" ? "refused" : "done"',
        outputs: 'answer.images.{ "base64": b64 }',
      }),
    }),
  job,
  immediate: true,
  returns_urls: false,
});

describe('a request', () => {
  let folder = '';
  let received: { url: string; type: string; body: string } | undefined;
  const server = createServer(async (request, response) => {
    const body = (await readRequestBody(request)).toString('latin1');
    received = { url: request.url ?? '', type: request.headers['content-type'] ?? '', body };
    sendJson(response, 200, { id: 7 });
  });
  let base_url = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'emulsion-http-'));
    await writeFile(join(folder, 'reference-0.png'), 'PIXELS');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  });

  const media = { kind: 'image', mime_type: 'image/png', extension: 'png', size_bytes: 6 } as const;
  const size = { width: 8, height: 4, duration_seconds: null, fps: null, has_audio: false };
  const submit = (options: object) =>
    createHttpAdapter({
      service: createFetcher().createService(base_url),
      api_key: null,
      options: z.parse(httpOptions, { handle: 'answer.id', ...options }),
    }).submit({
      ...job,
      input: { prompt: 'salt & pepper', aspect_ratio: '16:9' },
      generation_id: 'gen_1',
      submit_key: 'gen_1',
      references: [
        {
          path: 'reference_images.0',
          url: 'https://example.com/a.png',
          role: null,
          file: join(folder, 'reference-0.png'),
          media: { ...media, ...size },
        },
      ],
      workDir: folder,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

  it('can be a form with files', async () => {
    const form = '{ "words": input.prompt, "wide": 3, "none": null, "pictures": [$file(references[0])] }';
    expect(await submit({ submit: { path: '/forms', form } })).toMatchObject({ status: 'accepted', handle: { id: 7 } });
    expect(received?.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(received?.body).toContain('name="words"\r\n\r\nsalt & pepper\r\n');
    expect(received?.body).toMatch(
      /name="pictures"; filename="reference-0\.png"\r\nContent-Type: image\/png\r\n\r\nPIXELS/i,
    );
    expect(received?.body).not.toContain('none');
  });

  it('encodes values in the URL and leaves out empty ones', async () => {
    const query = { q: '{{ input.prompt }}', none: '{{ input.nothing }}' };
    await submit({ submit: { path: '/about/{{ input.prompt }}?a=1', query } });
    expect(received?.url).toBe('/about/salt%20%26%20pepper?a=1&q=salt+%26+pepper');
  });

  it('is sent only to the service', async () => {
    const submitted = submit({ submit: { path: '{{ "https://example.com/" }}' } });
    await expect(submitted).rejects.toMatchObject({ name: 'EngineError' });
  });
});
