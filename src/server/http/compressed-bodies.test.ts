import { randomBytes } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const BODY = gzipSync(randomBytes(200_000));
/** Twice the second that a response may take: the machine may be busy. */
const MAX_MS = 2_000;
const PATH_VALUE = '00000000000000000000000000';

let service: TestService;
let address: string;
let agent: Agent;
/** An account is managed by its person alone. */
let session: string;
beforeAll(async () => {
  service = await createTestService({
    config: { rateLimitPerMinute: 10_000, publicRateLimitPerMinute: 10_000 },
  });
  session = (await service.addPerson('administrator')).session;
  address = await service.listen();
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  // The first request loads what the others use.
  await isServing();
});
afterAll(async () => {
  agent.destroy();
  await service.close();
});

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
}

/** Sends a request on the one connection of the agent, or on a new one if the service has closed it. */
function send({ method, path, headers = {} }: Sent, body: Buffer | null, key = service.keys.organization) {
  const started = performance.now();
  return new Promise<{ status: number; text: string; ms: number }>((resolve, reject) => {
    const all = { authorization: `Bearer ${key}`, ...headers };
    const request = httpRequest(new URL(path, address), { method, agent, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      const ms = performance.now() - started;
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString(), ms }),
      );
    });
    request.setTimeout(240_000, () => request.destroy(new Error(`No response to ${method} ${path}.`)));
    request.on('error', reject).end(body ?? undefined);
  });
}

const compressed = (content_type: string, encoding = 'gzip') => ({
  'content-type': content_type,
  'content-encoding': encoding,
  'idempotency-key': 'one',
  'content-length': String(BODY.length),
});
const isServing = async () => (await send({ method: 'GET', path: '/v1/me' }, null)).status === 200;

const mutating = Object.entries(endpoints as Record<string, EndpointSpec>)
  .filter(([, { method }]) => method !== 'GET')
  .map(([name, spec]) => ({ name, spec }));

describe('a compressed body', () => {
  it.each(mutating)('is refused at once by $name', async ({ spec }) => {
    const { method, body: takes } = spec;
    const isUpload = takes === 'multipart';
    const headers = compressed(isUpload ? 'multipart/form-data; boundary=x' : 'application/json');
    const path = spec.path.replaceAll(/\{\w+\}/g, PATH_VALUE);
    const key = spec.permission === 'account.manage' ? session : service.keys.organization;
    const { status, text, ms } = await send({ method, path, headers }, BODY, key);
    const listed = isUpload || spec.errors[400]?.includes('invalid_request');
    const error = (JSON.parse(text) as { error: { code: string; message: string } }).error;
    expect([status, error.code]).toEqual([listed ? 400 : 422, isUpload ? 'invalid_media_upload' : 'invalid_request']);
    expect(error.message).toBe('Send the body without compression.');
    expect(ms).toBeLessThan(MAX_MS);
    expect(await isServing()).toBe(true);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip', 'nonsense'])(
    'is refused as %s',
    async (encoding) => {
      const headers = compressed('application/json', encoding);
      const { status, ms } = await send({ method: 'POST', path: '/v1/estimate', headers }, BODY);
      expect(status).toBe(400);
      expect(ms).toBeLessThan(MAX_MS);
    },
  );

  it('is refused before its first byte arrives', async () => {
    const headers = { ...compressed('application/json'), authorization: `Bearer ${service.keys.organization}` };
    const { status, ms } = await new Promise<{ status: number | undefined; ms: number }>((resolve, reject) => {
      const started = performance.now();
      const request = httpRequest(new URL('/v1/estimate', address), { method: 'POST', headers }, (response) => {
        resolve({ status: response.statusCode, ms: performance.now() - started });
        request.destroy();
      });
      request.on('error', reject).flushHeaders();
    });
    expect(status).toBe(400);
    expect(ms).toBeLessThan(MAX_MS);
  });

  it.each([
    ['POST', RESUMABLE_UPLOADS_PATH, { 'upload-length': '200000' }],
    ['PATCH', `${RESUMABLE_UPLOADS_PATH}/${PATH_VALUE}`, { 'upload-offset': '0' }],
  ])('is refused by a resumable upload: %s', async (method, path, tus) => {
    const headers = { ...compressed('application/offset+octet-stream'), 'tus-resumable': '1.0.0', ...tus };
    const { status, text, ms } = await send({ method, path, headers }, BODY);
    expect([status, (JSON.parse(text) as { error: { code: string } }).error.code]).toEqual([
      400,
      'invalid_media_upload',
    ]);
    expect(ms).toBeLessThan(MAX_MS);
    expect(await isServing()).toBe(true);
  });

  it('is refused by /mcp in the format of its errors', async () => {
    const headers = { ...compressed('application/json'), accept: 'application/json, text/event-stream' };
    const { status, text, ms } = await send({ method: 'POST', path: '/mcp', headers }, BODY);
    expect([status, JSON.parse(text)]).toEqual([
      400,
      { jsonrpc: '2.0', error: { code: -32_600, message: 'Send the body without compression.' }, id: null },
    ]);
    expect(ms).toBeLessThan(MAX_MS);
    expect(await isServing()).toBe(true);
  });

  it('of a caller without a credential is 401', async () => {
    const { status, ms } = await send(
      { method: 'POST', path: '/v1/generations', headers: compressed('application/json') },
      BODY,
      'nobody',
    );
    expect(status).toBe(401);
    expect(ms).toBeLessThan(MAX_MS);
  });

  it('is none with Content-Encoding: identity', async () => {
    const body = Buffer.from(JSON.stringify({ name: 'One', kind: 'member' }));
    const headers = { ...compressed('application/json', 'identity'), 'content-length': String(body.length) };
    expect((await send({ method: 'POST', path: '/v1/api-keys', headers }, body)).status).toBe(201);
  });
});
