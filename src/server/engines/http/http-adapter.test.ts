import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createFetcher } from '#server/net/fetcher.ts';
import { describeUpstreamConformance } from '../testing/upstream-conformance.ts';
import { readRequestBody, sendJson, type FakeUpstream, type FakeUpstreamJob } from '../testing/fake-upstream-server.ts';
import { createHttpAdapter } from './http-adapter.ts';
import { httpOptions } from './http-options.ts';

const WORDS = {
  queued: 'WAITING',
  running: 'AT_WORK',
  succeeded: 'READY',
  failed: 'BROKEN',
  canceled: 'STOPPED',
} as const satisfies Record<FakeUpstreamJob['state'], string>;

/** A made-up service with jobs: an id at once, then states, then the addresses of what was made. */
const jobs =
  (studio: FakeUpstream): RequestListener =>
  async (request, response) => {
    const url = new URL(request.url ?? '/', studio.origin);
    const [, kind, id = ''] = url.pathname.split('/');
    if (kind === 'files') return response.end(studio.outputs[Number(id)]);
    const key = request.headers['x-key'];
    if (key !== studio.api_key) return sendJson(response, 401, { error: `Unknown key ${String(key)}` });
    if (request.method === 'POST' && kind === 'jobs') {
      const body = JSON.parse(String(await readRequestBody(request)));
      if (body.words !== 'a pear' || body.kind !== 'painter/1' || url.searchParams.get('wide') !== '16:9') {
        return sendJson(response, 400, { error: 'Not what this service takes.' });
      }
      if (studio.refuses_content) return sendJson(response, 422, { reason: 'UNSAFE', message: 'No pears, please.' });
      const given = request.headers['x-once'];
      return sendJson(response, 202, { job: studio.createJob(typeof given === 'string' ? given : null).id });
    }
    const job = studio.findJob(id);
    if (!job) return sendJson(response, 404, { error: 'No such job.' });
    if (request.method === 'DELETE') {
      const ended = ['succeeded', 'failed', 'canceled'].includes(job.state);
      if (!ended) job.state = 'canceled';
      return sendJson(response, ended ? 409 : 200, {});
    }
    const made = studio.outputs.map((_, at) => studio.output_url ?? `${studio.origin}/files/${at}`);
    const pictures = job.state === 'succeeded' ? { pictures: made.map((href) => ({ href })), price: 0.021 } : {};
    return sendJson(response, 200, { state: WORDS[job.state], share: 50, ...pictures });
  };

const job = {
  task: 'image.create',
  model: 'imgmodel-a-2',
  input: { prompt: 'a pear', aspect_ratio: '16:9' },
} as const;

describeUpstreamConformance('a service with jobs, described in the configuration', {
  createHandler: jobs,
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

/** A made-up service that answers with what it made, as base64. */
const atOnce =
  (studio: FakeUpstream): RequestListener =>
  async (request, response) => {
    const given = request.headers.authorization;
    if (given !== `Bearer ${studio.api_key}`) return sendJson(response, 403, { message: `Unknown ${String(given)}` });
    await readRequestBody(request);
    studio.createJob(null);
    if (studio.refuses_content) return sendJson(response, 200, { status: 'nsfw' });
    return sendJson(response, 200, { images: studio.outputs.map((bytes) => ({ b64: bytes.toString('base64') })) });
  };

describeUpstreamConformance('a service that answers at once, described in the configuration', {
  createHandler: atOnce,
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

describe('what is sent', () => {
  let folder = '';
  let seen: { url: string; type: string; body: string } | undefined;
  const server = createServer(async (request, response) => {
    const body = (await readRequestBody(request)).toString('latin1');
    seen = { url: request.url ?? '', type: request.headers['content-type'] ?? '', body };
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
      work_dir: folder,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });

  it('may be a form with files', async () => {
    const form = '{ "words": input.prompt, "wide": 3, "none": null, "pictures": [$file(references[0])] }';
    expect(await submit({ submit: { path: '/forms', form } })).toMatchObject({ status: 'accepted', handle: { id: 7 } });
    expect(seen?.type).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen?.body).toContain('name="words"\r\n\r\nsalt & pepper\r\n');
    expect(seen?.body).toMatch(
      /name="pictures"; filename="reference-0\.png"\r\nContent-Type: image\/png\r\n\r\nPIXELS/i,
    );
    expect(seen?.body).not.toContain('none');
  });

  it('has its values encoded where they go into an address, and empty ones left out', async () => {
    const query = { q: '{{ input.prompt }}', none: '{{ input.nothing }}' };
    await submit({ submit: { path: '/about/{{ input.prompt }}?a=1', query } });
    expect(seen?.url).toBe('/about/salt%20%26%20pepper?a=1&q=salt+%26+pepper');
  });

  it('goes nowhere but to the service', async () => {
    const away = submit({ submit: { path: '{{ "https://example.com/" }}' } });
    await expect(away).rejects.toMatchObject({ name: 'EngineError' });
  });
});
