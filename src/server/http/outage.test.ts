import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoints } from '#contract/api/endpoints.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { type TcpProxy, startTcpProxy } from '#server/app/testing/tcp-proxy.ts';
import { startPostgres } from '#server/app/testing/test-postgres.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const order = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'a lighthouse' } };

const postgres = await startPostgres();
afterAll(() => postgres?.stop());

describe.skipIf(!postgres)('without its database (needs PostgreSQL)', () => {
  let service: TestService;
  beforeAll(async () => {
    if (!postgres) return;
    service = await createTestService({
      databaseUrl: await postgres.createDatabase(),
      engines: [createScriptedEngine()],
    });
    await service.call('get_me');
    await postgres.shutDown('fast');
  });
  afterAll(async () => {
    await service.close();
    await postgres?.restart();
  });

  it.each([
    ['create_generation', 503, 'service_unavailable', { body: order }],
    ['create_upload', 503, 'service_unavailable', {}],
    ['cancel_generation', 503, 'service_unavailable', { params: { generation_id: 'gen_x' } }],
    ['list_generations', 503, 'service_unavailable', {}],
    ['get_me', 503, 'service_unavailable', {}],
  ] satisfies [keyof Endpoints, number, string, object][])('%s: %i %s', async (name, status, code, options) => {
    const refused = await service.callError(name, options);
    expect([refused.status, refused.error.code]).toEqual([status, code]);
    expect(refused.error.message).not.toMatch(/ECONN|connect|terminat|postgres/i);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
  });

  it('is alive but not ready, and still serves what needs no database', async () => {
    expect((await service.app.inject({ url: '/healthz' })).statusCode).toBe(200);
    const response = await service.app.inject({ url: '/readyz' });
    expect([response.statusCode, response.json<{ checks: object }>().checks]).toMatchObject([
      503,
      { database: 'unavailable', storage: 'ok' },
    ]);
    expect((await service.call('get_pricing', { key: null })).status).toBe(200);
  });
});

describe.skipIf(!postgres)('a create that gives up (needs PostgreSQL)', { concurrent: true }, () => {
  let service: TestService;
  let proxy: TcpProxy;
  /** Of organizations with one test each. */
  const keys: Record<string, string> = {};
  const giveUp = async (prompt: string, options: { key?: string; idempotency_key?: string }) => {
    const body = { ...order, input: { prompt } };
    const { status, error, headers } = await service.callError('create_generation', { body, ...options });
    expect([status, error.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '5']);
  };
  const listOf = async (prompt: string, key = service.keys.organization) =>
    (await service.call('list_generations', { key, query: { q: prompt } })).body.data.map(({ id }) => id);

  beforeAll(async () => {
    if (!postgres) return;
    const url = new URL(await postgres.createDatabase());
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    service = await createTestService({ databaseUrl: url.href, engines: [createScriptedEngine()] });
    for (const prompt of ['belated', 'overdue']) {
      keys[prompt] = (await service.addOrganization()).key;
    }
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
  });

  it('before it hears of its commit gets the stored response when it is sent again', async () => {
    const prompt = 'unconfirmed';
    const options = { idempotency_key: 'unconfirmed' };
    // The whole message, which a script that sets up a session does not contain.
    proxy.freezeAfter('commit\0');
    await giveUp(prompt, options);
    const body = { ...order, input: { prompt } };
    const again = await service.call('create_generation', { body, ...options });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(await listOf(prompt)).toEqual([again.body.id]);
  });

  it.each([
    { name: 'without an Idempotency-Key', prompt: 'belated', options: {} },
    { name: 'with one', prompt: 'overdue', options: { idempotency_key: 'late' } },
  ])('stores nothing where its statement arrives later, $name', async ({ prompt, options }) => {
    const key = keys[prompt];
    if (!key) throw new Error(`There is no key for ${prompt}.`);
    const release = proxy.hold(prompt);
    await giveUp(prompt, { key, ...options });
    await release();
    expect(await listOf(prompt, key)).toEqual([]);
    const { body: after } = await service.call('get_billing_summary', { key });
    expect([after.reserved_usd, after.available_usd]).toEqual(['0.00', '100.00']);
  });
});

describe('connections', () => {
  let service: TestService;
  let stopping = false;
  beforeAll(async () => {
    service = await createTestService({ app: { isStopping: () => stopping } });
    await service.listen();
  });
  afterAll(() => service.close());

  async function say(text: string): Promise<string> {
    const address = service.app.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    const socket = connect(address.port, '127.0.0.1');
    let response = '';
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.write(text);
    await once(socket, 'close');
    return response;
  }

  it.each(['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`])(
    '400, as JSON, for invalid input: %.30j',
    async (text) => {
      const response = await say(text);
      expect(response).toMatch(/^HTTP\/1\.1 400 /);
      expect(response).toContain('"code":"invalid_request"');
      expect(response).toMatch(/x-request-id: [0-9a-f-]{36}/i);
    },
  );

  it('closes the connection when a body is not read to its end', async () => {
    const response = await say(
      'POST /v1/api-keys HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"name":',
    );
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
    expect(response).toMatch(/connection: close/i);
    expect(response).toContain('authentication_error');
  });

  it('is not ready during shutdown', async () => {
    stopping = true;
    expect((await service.app.inject({ url: '/readyz' })).statusCode).toBe(503);
    stopping = false;
    expect((await service.app.inject({ url: '/readyz' })).statusCode).toBe(200);
  });
});

describe('a worker', () => {
  it('serves its health checks and nothing else', async () => {
    const service = await createTestService({ config: { role: 'worker' } });
    expect((await service.app.inject({ url: '/readyz' })).statusCode).toBe(200);
    expect((await service.app.inject({ url: '/v1/tasks' })).statusCode).toBe(404);
    expect((await service.app.inject({ url: '/openapi.json' })).statusCode).toBe(404);
    await service.close();
  });
});
