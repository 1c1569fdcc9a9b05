import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { EngineError } from './engine.ts';
import { createRedactor, createUpstreamHttp, type UpstreamHttp } from './upstream-http.ts';
import { saveOutputs } from './save-outputs.ts';
import { parseRetryAfter } from './upstream-errors.ts';

const KEY = 'sk-very-secret-0123456789';
let server: Server;
let handle: (request: IncomingMessage, response: ServerResponse) => void;
let http: UpstreamHttp;
let workDir: string;

beforeAll(async () => {
  server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  http = createUpstreamHttp({ service: createFetcher().createService(base_url), api_key: KEY });
  workDir = await mkdtemp(join(tmpdir(), 'upstream-http-'));
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await rm(workDir, { recursive: true });
});
beforeEach(() => {
  handle = (_request, response) => response.end('{}');
});

const respond = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
  handle = (_request, response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
};
const failureOf = (pending: Promise<unknown>): Promise<Error> =>
  pending.then(
    () => expect.fail('It did not fail.'),
    (error: unknown) => error as Error,
  );

describe('the HTTP client', () => {
  it('sends credentials and JSON, and reads JSON', async () => {
    handle = (request, response) => {
      const { authorization, 'content-type': type, 'x-a': own_header } = request.headers;
      request
        .setEncoding('utf8')
        .on('data', (body) => response.end(JSON.stringify({ authorization, type, own_header, body })));
    };
    expect(await http.requestJson('/x', { method: 'POST', json: { a: 1 }, headers: { 'x-a': 'b' } })).toEqual({
      authorization: `Bearer ${KEY}`,
      type: 'application/json',
      own_header: 'b',
      body: '{"a":1}',
    });
  });

  it.each<[number, object]>([
    [429, { name: 'UpstreamBusyError', retry_after_ms: 7_000 }],
    [503, { name: 'UpstreamBusyError', retry_after_ms: 7_000 }],
    [500, { name: 'ResponseLostError' }],
    [502, { name: 'ResponseLostError' }],
    [504, { name: 'ResponseLostError' }],
    [408, { name: 'ResponseLostError' }],
    [401, { code: 'model_unavailable', message: 'The provider rejected the API key. Ask the operator to check it.' }],
    [403, { code: 'model_unavailable', message: 'The provider rejected the API key. Ask the operator to check it.' }],
    [
      302,
      {
        code: 'model_unavailable',
        message: 'The provider was not found at its address. Ask the operator to check it.',
      },
    ],
    [422, { code: 'engine_failed', message: 'The provider rejected the request: Too wide.', retryable: false }],
  ])('maps status %i', async (status, error) => {
    respond(status, { error: { message: 'Too wide' } }, { 'retry-after': '7', location: '/elsewhere' });
    expect(await failureOf(http.requestJson('/x'))).toMatchObject(error);
  });

  it('treats a 500 as busy when the response is the result', async () => {
    respond(500, 'oops');
    expect(await failureOf(http.requestJson('/x', { is_not_accepted_on_500: true }))).toMatchObject({
      name: 'UpstreamBusyError',
    });
  });

  it.each(['<html>', '', '{"a":', 'nope'])('treats %j as a lost response', async (text) => {
    respond(200, text);
    expect(await failureOf(http.requestJson('/x'))).toMatchObject({ name: 'ResponseLostError' });
  });

  it.each([
    [{ detail: 'Bad size' }, 'Bad size.'],
    [{ detail: [{ loc: ['body'], msg: 'Field required', type: 'missing' }] }, 'Field required.'],
    [{ error: 'No!' }, 'No!'],
    [{ message: 'a\u0000b\r\nc\u202Ed' }, 'a b c d.'],
    [{ message: `see https://x.test/a?signature=${KEY} for ${KEY}` }, 'see https://x.test/a for •••.'],
    [{ message: 'x'.repeat(5_000) }, `${'x'.repeat(399)}…`],
  ])('reports the message of %j', async (body, sentence) => {
    respond(400, body);
    expect((await failureOf(http.requestJson('/x'))).message).toBe(`The provider rejected the request: ${sentence}`);
  });

  it('never exposes the key', async () => {
    for (const status of [400, 401, 429, 500, 200]) {
      respond(status, `not JSON with ${KEY} and Bearer ${KEY}`);
      expect(inspect(await failureOf(http.requestJson(`/x?key=${KEY}`)), { depth: 9 })).not.toContain(KEY);
    }
    expect(() =>
      createUpstreamHttp({ service: createFetcher().createService('http://a'), api_key: `${KEY}\n` }),
    ).toThrow(/^An API key must consist of printable characters without blanks\.$/);
  });

  it('removes query strings from logged errors', async () => {
    respond(400, 'no');
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const path of ['/x?sig=abc', `${base_url}/x?sig=abc`]) {
      const logText = inspect(await failureOf(http.requestJson(path)), { depth: 9 });
      expect(logText).toContain('/x returned 400');
      expect(logText).not.toContain('sig=abc');
    }
  });

  it('prefers the adapter’s error to the status', async () => {
    const service = createFetcher().createService(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const explained = createUpstreamHttp({
      service,
      api_key: null,
      mapError: ({ status, message }) => new EngineError('content_refused', `${status} ${message}`),
    });
    respond(429, { error: { message: 'quota' } });
    expect(await failureOf(explained.requestJson('/x'))).toMatchObject({
      code: 'content_refused',
      message: '429 quota',
    });
  });

  it('rejects with the abort reason', async () => {
    const controller = new AbortController();
    const reason = new Error('canceled');
    handle = () => controller.abort(reason);
    expect(await failureOf(http.requestJson('/x', { signal: controller.signal }))).toBe(reason);
  });
});

describe('saving outputs', () => {
  const job = () => ({ workDir, signal: new AbortController().signal });

  it('saves URLs, data URLs and base64 in order and replaces existing files', async () => {
    const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    handle = (request, response) => response.end(request.headers.authorization);
    const encoded = Buffer.from('bytes').toString('base64');
    const outputs = [{ url: `${base_url}/a` }, { url: `data:image/png;base64,${encoded}` }, { base64: encoded }];
    await saveOutputs(http, outputs, job());
    const files = await saveOutputs(http, outputs, job());
    expect(await Promise.all(files.map((file) => readFile(file, 'utf8')))).toEqual([`Bearer ${KEY}`, 'bytes', 'bytes']);
    expect((await readdir(workDir)).sort()).toEqual(['output-0', 'output-1', 'output-2']);
  });

  it('fails for invalid outputs and retries those that may be available later', async () => {
    const save = (url: string, maxBytes = 10) => failureOf(saveOutputs(http, [{ url }], job(), maxBytes));
    const own_header = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
    expect(await save('http://10.0.0.1/x')).toMatchObject({ name: 'EngineError', code: 'engine_failed' });
    expect(await save('file:///etc/passwd')).toMatchObject({ name: 'EngineError' });
    handle = (_request, response) => response.end('more than ten bytes');
    expect(await save(own_header)).toMatchObject({ name: 'EngineError' });
    expect(await save(`data:;base64,${'AAAA'.repeat(5)}`)).toMatchObject({ name: 'EngineError' });
    expect(await save('data:;base64,***')).toMatchObject({ name: 'ResponseLostError' });
    respond(404, '');
    expect(await save(own_header)).toMatchObject({ name: 'EngineError' });
    respond(500, '');
    expect(await save(own_header)).toMatchObject({ name: 'ResponseLostError' });
    handle = (_request, response) => void response.destroy();
    expect(await save(own_header)).toMatchObject({ name: 'ResponseLostError' });
  });
});

describe('parsing', () => {
  it.each<[Record<string, string>, number | null]>([
    [{}, null],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:10 GMT' }, 10_000],
    [{ 'retry-after': 'Wed, 21 Oct 2020 07:28:00 GMT' }, 0],
    [{ 'retry-after': '3', 'retry-after-ms': '250' }, 250],
  ])('reads %j', (headers, expected) => {
    expect(parseRetryAfter(new Headers(headers), Date.parse('2026-10-21T07:28:00Z'))).toBe(expected);
  });

  it('redacts the longest secret first', () => {
    expect(createRedactor(['key', 'Bearer key', ''])('a Bearer key and key')).toBe('a ••• and •••');
  });
});
