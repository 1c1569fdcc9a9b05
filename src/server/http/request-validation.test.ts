import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await createTestService({
    engines: [createScriptedEngine()],
    config: { maxJsonBytes: 2_000, rateLimitPerMinute: 10_000 },
  });
});
afterAll(() => service.close());

const json = { 'content-type': 'application/json' };
const post = (url: string, payload: string, headers: Record<string, string> = json, key = service.keys.organization) =>
  service.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${key}`, ...headers } });
const codeOf = (body: string) => (JSON.parse(body) as { error: { code: string } }).error.code;
const orders = '/v1/generations';
const image = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a lighthouse' } };

describe('authentication', () => {
  it.each([
    ['no credential', undefined],
    ['another scheme', 'Basic YTpi'],
    ['no key', 'Bearer '],
    ['an unknown prefix', 'Bearer sk_live_0123456789'],
    ['a wrong secret', `Bearer mgs_org_${'A'.repeat(43)}`],
    ['a key with something behind it', 'Bearer mgs_org_x y'],
  ])('401: %s', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { error, headers: answered } = await service.callError('get_me', { key: null, headers });
    expect(error.code).toBe('authentication_error');
    expect(answered['www-authenticate']).toBe('Bearer');
  });

  it('401: the same response for an unknown prefix and a wrong secret', async () => {
    const [prefix, secret] = await Promise.all(
      ['sk_live_012345', `mgs_org_${'A'.repeat(43)}`].map((key) => service.callError('get_me', { key })),
    );
    expect(prefix?.error.message).toBe(secret?.error.message);
  });

  it('401: a member key where an organization key is required', async () => {
    const key = service.keys.member;
    expect((await service.call('get_me', { key })).body.key.kind).toBe('member');
    expect((await service.callError('list_api_keys', { key })).status).toBe(401);
    expect((await service.callError('create_api_key', { key, body: { name: 'x', kind: 'member' } })).status).toBe(401);
    expect(
      (await service.callError('create_credit', { key, body: { amount_usd: '1', description: 'x' } })).status,
    ).toBe(401);
  });

  it('401: a publishing credential outside uploads', async () => {
    const key = service.keys.publishing;
    for (const name of [
      'get_me',
      'list_generations',
      'list_uploads',
      'get_billing_summary',
      'list_api_keys',
    ] as const) {
      expect((await service.callError(name, { key })).status).toBe(401);
    }
    expect((await service.callError('create_upload', { key })).error.code).toBe('invalid_media_upload');
  });

  it('401: a revoked key', async () => {
    const { body } = await service.call('create_api_key', { body: { name: 'short-lived', kind: 'organization' } });
    expect((await service.call('get_me', { key: body.key })).status).toBe(200);
    await service.call('delete_api_key', { params: { key_id: body.id } });
    expect((await service.callError('get_me', { key: body.key })).status).toBe(401);
  });

  it('401 comes before an unreadable body, 404 and 422', async () => {
    expect((await post(orders, '{', json, 'nobody')).statusCode).toBe(401);
    expect((await service.callError('get_generation', { key: null, params: { generation_id: '!' } })).status).toBe(401);
  });
});

describe('bodies', () => {
  it.each([
    ['broken JSON', '{"task":', json],
    ['another content type', JSON.stringify(image), { 'content-type': 'text/plain' }],
    ['no content type', JSON.stringify(image), { 'content-type': '' }],
    ['a content type that is none', JSON.stringify(image), { 'content-type': ';;' }],
    ['a compressed body', JSON.stringify(image), { ...json, 'content-encoding': 'gzip' }],
  ])('400: %s', async (_, payload, headers) => {
    const response = await post(orders, payload, headers);
    expect([response.statusCode, codeOf(response.body)]).toEqual([400, 'invalid_request']);
  });

  it('400: bytes that are not UTF-8', async () => {
    const payload = Buffer.concat([Buffer.from('{"task":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const response = await service.app.inject({ method: 'POST', url: '/v1/estimate', payload, headers: json });
    expect([response.statusCode, codeOf(response.body)]).toEqual([400, 'invalid_request']);
  });

  it('413: one byte over the limit, declared or not', async () => {
    const exactly = JSON.stringify({ ...image, metadata: { k: 'x' } });
    const padded = (bytes: number) => exactly + ' '.repeat(bytes - Buffer.byteLength(exactly));
    expect((await post(orders, padded(2_000))).statusCode).toBe(201);
    const response = await post(orders, padded(2_001));
    expect([response.statusCode, codeOf(response.body)]).toEqual([413, 'invalid_request']);
  });

  it('422: no body', async () => {
    expect((await service.callError('create_generation')).error.details?.[0]?.message).toMatch(/\.$/);
  });

  it('422: one detail per problem with its path', async () => {
    const { error } = await service.callError('create_generation', {
      body: { model: 3, input: [], x: 1, metadata: { k: 1 } },
    });
    expect(error.details?.map(({ path }) => path).sort()).toEqual(['input', 'metadata.k', 'model', 'task', 'x']);
    expect(error.details?.every(({ message }) => /^[A-Z“].*\.$/.test(message))).toBe(true);
  });

  it('422: the input of the task, below `input`', async () => {
    const input = { prompt: ' ', reference_images: [{ url: 'http://x.example/a.png' }] };
    const { error } = await service.callError('create_generation', { body: { ...image, input } });
    expect(error.details?.map(({ path }) => path)).toEqual(['input.prompt', 'input.reference_images.0.url']);
  });

  it.each([
    ['NUL', { ...image, metadata: { note: 'a\u0000b' } }, 'metadata.note'],
    ['half a character', { ...image, input: { prompt: 'x\ud800' } }, 'input.prompt'],
  ])('422: %s, which a database cannot store', async (_, body, path) => {
    const { status, error } = await service.callError('create_generation', { body });
    expect([status, error.details?.[0]?.path]).toEqual([422, path]);
  });

  it('422: a property name that reaches a prototype', async () => {
    const response = await post(
      orders,
      '{"task":"image.create","model":"imgmodel-b-2","input":{"prompt":"x","__proto__":{"a":1}}}',
    );
    expect([response.statusCode, codeOf(response.body)]).toEqual([422, 'invalid_request']);
  });

  it('422: a body where none is allowed, except an empty object', async () => {
    const { body } = await service.call('create_generation', { body: image });
    const url = `/v1/generations/${body.id}/cancel`;
    const refused = await post(url, '{"reason":"x"}');
    expect([refused.statusCode, codeOf(refused.body)]).toEqual([422, 'invalid_request']);
    expect((await post(url, '{}')).statusCode).toBe(200);
    expect((await post(url, '', {})).statusCode).toBe(200);
  });
});

describe('ids and queries', () => {
  it.each(['!', 'a'.repeat(65), 'a/b', 'ä', '%', '%zz', '..%2f', 'a\u0000'])(
    '422: the id %j',
    async (generation_id) => {
      const { status, error } = await service.callError('get_generation', { params: { generation_id } });
      expect([status, error.code, error.details?.[0]?.path]).toEqual([422, 'invalid_request', 'generation_id']);
    },
  );

  it('422: an id that can’t be decoded', async () => {
    const headers = { authorization: `Bearer ${service.keys.organization}` };
    const response = await service.app.inject({ url: '/v1/generations/%ff%zz', headers });
    expect([response.statusCode, codeOf(response.body)]).toEqual([422, 'invalid_request']);
  });

  it('404: a well-formed unknown id', async () => {
    const { status, error } = await service.callError('get_generation', { params: { generation_id: 'gen_unknown' } });
    expect([status, error.code]).toEqual([404, 'generation_not_found']);
    expect((await service.callError('delete_api_key', { params: { key_id: 'key_x' } })).error.code).toBe('not_found');
    expect((await service.callError('delete_upload', { params: { upload_id: 'upl_x' } })).error.code).toBe('not_found');
  });

  it.each([
    'limit=0',
    'limit=201',
    'limit=1.5',
    'limit=abc',
    'status=odd',
    'created_after=today',
    'limit=1&limit=2',
    'cursor=x',
    'q=%00',
  ])('422: ?%s', async (query) => {
    const headers = { authorization: `Bearer ${service.keys.organization}` };
    const response = await service.app.inject({ url: `${orders}?${query}`, headers });
    expect([response.statusCode, codeOf(response.body)]).toEqual([422, 'invalid_request']);
  });

  it('200: empty parameters', async () => {
    const headers = { authorization: `Bearer ${service.keys.organization}` };
    const response = await service.app.inject({ url: `${orders}?limit=&status=`, headers });
    expect(response.statusCode).toBe(200);
  });

  it.each(['what=1', 'what=1&what=%00', '__proto__=1', 'constructor=', '%00=1'])(
    '422: ?%s, which is unknown',
    async (query) => {
      const headers = { authorization: `Bearer ${service.keys.organization}` };
      const response = await service.app.inject({ url: `${orders}?${query}`, headers });
      expect([response.statusCode, codeOf(response.body)]).toEqual([422, 'invalid_request']);
    },
  );
});

describe('paths', () => {
  it.each(['/', '/v1', '/v1/nothing', '/v2/tasks', '/media', '/v1/webhooks', '/v1/workflows'])(
    '404: %s',
    async (url) => {
      const response = await service.app.inject({ url });
      expect([response.statusCode, codeOf(response.body)]).toEqual([404, 'not_found']);
    },
  );

  it.each([
    ['PUT', '/v1/generations', 'GET, HEAD, POST'],
    ['DELETE', '/v1/me', 'GET, HEAD, PUT'],
    ['GET', '/v1/estimate', 'POST'],
    ['PATCH', '/v1/api-keys/key_x', 'PUT, DELETE'],
  ] as const)('405: %s %s, and what is possible', async (method, url, allow) => {
    const response = await service.app.inject({ method, url });
    expect([response.statusCode, codeOf(response.body), response.headers.allow]).toEqual([
      405,
      'method_not_allowed',
      allow,
    ]);
  });
});

describe('the Idempotency-Key', () => {
  it.each(['', 'x'.repeat(256), 'Schlüssel'])('400: %j', async (key) => {
    const { status, error } = await service.callError('create_generation', {
      body: image,
      headers: { 'idempotency-key': key },
    });
    expect([status, error.code]).toEqual([400, 'invalid_request']);
  });

  it('201: replays the response with the Idempotent-Replayed header', async () => {
    const first = await service.call('create_generation', { body: image, idempotency_key: 'once' });
    const replayed = await service.call('create_generation', { body: image, idempotency_key: 'once' });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect([replayed.status, replayed.headers['idempotent-replayed'], replayed.body]).toEqual([
      201,
      'true',
      first.body,
    ]);
  });
});
