import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '#contract/api/endpoints.ts';
import { VERSION } from '#server/platform/core/version.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    config: { allowedOrigins: ['https://studio.example.com'], rateLimitPerMinute: 10_000 },
  });
});
afterAll(() => service.close());

const image = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a lighthouse' } };

describe('every response', () => {
  const answers = () =>
    Promise.all([
      service.app.inject({ url: '/v1/tasks' }),
      service.app.inject({ url: '/v1/me' }),
      service.app.inject({ url: '/nothing' }),
      service.app.inject({ url: '/healthz' }),
      service.app.inject({ method: 'PUT', url: '/v1/me' }),
      service.app.inject({ url: '/media/ast_x' }),
    ]);

  it('has a unique request id, which its error repeats', async () => {
    const all = await answers();
    const ids = all.map(({ headers }) => String(headers['x-request-id']));
    expect(new Set(ids).size).toBe(all.length);
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id))).toBe(true);
    expect(all[1]?.json()).toMatchObject({ error: { request_id: ids[1] } });
  });

  it('has headers that keep browsers from running or embedding it', async () => {
    for (const { headers } of await answers()) {
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
    }
  });
});

describe('conditional requests', () => {
  it.each(['list_tasks', 'list_models', 'get_pricing', 'list_generations', 'list_api_keys'] as const)(
    '304: %s while unchanged',
    async (name) => {
      const first = await service.call(name);
      const etag = String(first.headers['etag']);
      expect(etag).toMatch(/^W\/"/);
      const second = await service.request(name, { headers: { 'if-none-match': `"other", ${etag}` } });
      expect(second.status).toBe(304);
    },
  );

  it('200: after a change', async () => {
    const { body } = await service.call('create_generation', { body: image });
    const params = { generation_id: body.id };
    const before = await service.call('get_generation', { params });
    const headers = { 'if-none-match': String(before.headers['etag']) };
    expect((await service.request('get_generation', { params, headers })).status).toBe(304);
    await service.call('cancel_generation', { params });
    expect((await service.call('get_generation', { params, headers })).body.status).toBe('canceled');
  });

  it('responses to a key are not cached', async () => {
    expect((await service.call('list_generations')).headers['cache-control']).toBe('no-store');
    expect((await service.call('list_tasks')).headers['cache-control']).toBe('no-cache');
  });
});

describe('other origins', () => {
  const preflight = (origin: string) =>
    service.app.inject({
      method: 'OPTIONS',
      url: '/v1/generations',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });

  it('may call when they are allowed', async () => {
    const { headers } = await preflight('https://studio.example.com');
    expect(headers['access-control-allow-origin']).toBe('https://studio.example.com');
    expect(headers['access-control-allow-headers']).toContain('Idempotency-Key');
  });

  it('may not call otherwise', async () => {
    expect((await preflight('https://evil.example')).headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('the OpenAPI document', () => {
  it('lists exactly the served endpoints with the statuses of the contract', async () => {
    const response = await service.app.inject({ url: '/openapi.json' });
    const { openapi, info, paths } = response.json<{
      openapi: string;
      info: { version: string };
      paths: Record<string, object>;
    }>();
    expect([openapi, info.version]).toEqual(['3.1.0', '0.1.0']);
    const served = Object.values(endpoints).map(({ path }) => path);
    expect(Object.keys(paths).sort()).toEqual([...new Set(served)].sort());
    const second = await service.app.inject({
      url: '/openapi.json',
      headers: { 'if-none-match': String(response.headers.etag) },
    });
    expect(second.statusCode).toBe(304);
  });
});

describe('health', () => {
  it('200: alive and ready', async () => {
    expect((await service.app.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok', version: VERSION });
    expect((await service.app.inject({ url: '/readyz' })).json()).toEqual({
      status: 'ready',
      checks: { database: 'ok', storage: 'ok', queue: 'ok' },
    });
  });
});

describe('responses', () => {
  it('are compressed when the caller accepts it and they are long enough', async () => {
    const read = (encodings: string, url = '/v1/models') =>
      service.app.inject({ url, headers: { 'accept-encoding': encodings } });
    const [plain, brotli, gzip] = await Promise.all(
      ['identity', 'br, gzip', 'gzip'].map((encodings) => read(encodings)),
    );
    expect(plain?.headers['content-encoding']).toBeUndefined();
    expect(brotli?.headers['content-encoding']).toBe('br');
    expect(gzip?.headers['content-encoding']).toBe('gzip');
    expect(brotliDecompressSync(brotli?.rawPayload ?? '').toString()).toBe(plain?.body);
    expect(gunzipSync(gzip?.rawPayload ?? '').toString()).toBe(plain?.body);
    expect(brotli?.headers['etag']).toBe(plain?.headers['etag']);
    expect((await read('br', '/healthz')).headers['content-encoding']).toBeUndefined();
  });
});
