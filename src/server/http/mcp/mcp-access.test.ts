import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { ROLES, type Role } from '#contract/permissions.ts';
import { sessionCookieName } from '#contract/resources/session.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createTestService } from '#server/app/testing/test-service.ts';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { connectClient, listToolNames, readError, readJson } from './testing/connect-client.ts';

const ORIGIN = 'https://studio.example.com';
const service = useSharedService(() => ({
  engines: [createScriptedEngine()],
  config: { publicRateLimitPerMinute: 1_000_000, maxJsonBytes: 20_000, allowedOrigins: [ORIGIN] },
}));
let url: string;
const clients: Client[] = [];
beforeAll(async () => {
  url = await service.get().listen();
});
afterAll(async () => {
  for (const client of clients) await client.close();
});

async function connect(key: string): Promise<Client> {
  const client = await connectClient(url, key);
  clients.push(client);
  return client;
}

const createKey = async (scopes: BodyInput<'create_api_key'>['scopes'], kind: 'organization' | 'member' = 'member') =>
  (await service.get().call('create_api_key', { body: { name: 'Limited', kind, scopes } })).body;

const ORDER = { model: 'imgmodel-a-2', input: { prompt: 'x' }, idempotency_key: 'x' };
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

function post(key: string | null, headers: Record<string, string> = {}, body: string = PING): Promise<Response> {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const accept = 'application/json, text/event-stream';
  return fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...authorization, ...headers },
    body,
  });
}

const READ_TOOLS = [
  'get_batch',
  'get_generation',
  'get_me',
  'get_media',
  'list_generations',
  'list_media',
  'wait_for_generation',
];
const ORDER_TOOLS = [
  'cancel_generation',
  'create_batch',
  'create_image',
  'edit_image',
  'retry_generation',
  'search_social',
];
const MONEY_TOOLS = ['get_billing_summary', 'list_budgets'];

describe('tools of a caller', () => {
  const may: Record<Role, { order: boolean; money: boolean }> = {
    administrator: { order: true, money: true },
    member: { order: true, money: true },
    auditor: { order: false, money: true },
    viewer: { order: false, money: false },
  };

  it.each(ROLES)('with the role %s are those that the role permits', async (role) => {
    const names = await listToolNames(await connect((await service.get().addPerson(role)).session));
    expect(names).toEqual(expect.arrayContaining([...READ_TOOLS, 'create_estimate', 'list_models']));
    for (const name of ORDER_TOOLS) expect(names.includes(name)).toBe(may[role].order);
    for (const name of MONEY_TOOLS) expect(names.includes(name)).toBe(may[role].money);
  });

  it('with a read-only key read only, and orders are refused', async () => {
    const { key } = await createKey({ tasks: null, models: null, read_only: true });
    const client = await connect(key);
    const names = await listToolNames(client);
    expect(names).toEqual(expect.arrayContaining(READ_TOOLS));
    for (const name of ORDER_TOOLS) expect(names).not.toContain(name);
    const error = readError(await client.callTool({ name: 'create_image', arguments: ORDER }));
    expect(error).toMatchObject({ code: 'authentication_error', message: 'This key is read-only.' });
  });

  it('with a key for one task and model order nothing else', async () => {
    const { key, id } = await createKey({ tasks: ['image.create'], models: ['imgmodel-a-2'], read_only: false });
    const client = await connect(key);
    const { tools } = await client.listTools();
    expect(tools.filter(({ inputSchema }) => inputSchema.required?.includes('input')).map(({ name }) => name)).toEqual([
      'create_image',
      'create_estimate',
    ]);
    const create = tools.find(({ name }) => name === 'create_image');
    expect(create?.inputSchema.properties?.['model']).toMatchObject({ enum: ['imgmodel-a-2'] });
    expect(create?.description).not.toContain('imgmodel-b-2');
    const order = async (name: string, more: object) => client.callTool({ name, arguments: { ...ORDER, ...more } });
    expect(readError(await order('create_image', { model: 'imgmodel-b-2' })).code).toBe('authentication_error');
    expect(readError(await order('create_video', { model: 'omni-video' })).code).toBe('authentication_error');
    expect(readJson(await order('create_image', {}))).toMatchObject({ created_by: { id } });
  });
});

describe('a message', () => {
  it('needs a key or session that is valid', async () => {
    const expired = await createKey(null);
    const revoked = await createKey(null);
    const { call, deps, keys } = service.get();
    await call('update_api_key', {
      params: { key_id: expired.id },
      body: { expires_at: new Date(deps.clock.now().getTime() + 60_000).toISOString() },
    });
    await call('delete_api_key', { params: { key_id: revoked.id } });
    expect((await post(expired.key)).status).toBe(200);
    deps.clock.advance(120_000);
    for (const key of [null, 'mgs_org_unknown', expired.key, revoked.key, keys.publishing]) {
      const response = await post(key);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    await expect(connectClient(url, revoked.key)).rejects.toThrow();
  });

  it('does not take the session of a cookie', async () => {
    const { session } = await service.get().addPerson('administrator', 'Cookie');
    const cookie = `${sessionCookieName(service.get().deps.config.publicUrl)}=${session}`;
    expect((await fetch(new URL('/v1/me', url), { headers: { cookie } })).status).toBe(200);
    expect((await post(session)).status).toBe(200);
    expect((await post(null, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(401);
  });

  it('of a browser needs an origin that the API accepts', async () => {
    const { keys, deps } = service.get();
    for (const origin of [deps.config.publicUrl, ORIGIN])
      expect((await post(keys.organization, { origin })).status).toBe(200);
    for (const origin of ['https://evil.example.com', 'null', url, `${ORIGIN}.evil.com`]) {
      const response = await post(keys.organization, { origin });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_600 } });
    }
  });

  it.each([
    ['too large', `{"x":"${'x'.repeat(20_000)}"}`, 413],
    ['not JSON', '{', 400],
    ['a batch', `[${PING},${PING}]`, 400],
    ['no JSON-RPC', '{}', 400],
    ['null', 'null', 400],
  ])('that is %s is rejected', async (_, body, status) => {
    expect((await post(service.get().keys.organization, {}, body)).status).toBe(status);
  });

  it('is sent with POST', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(new URL('/mcp', url), { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('opens no lasting subscription', async () => {
    const client = await connect(service.get().keys.organization);
    await expect(client.listen({ toolsListChanged: true })).rejects.toThrow();
  });

  it('and the request behind a tool count towards the rate limit of the key', async () => {
    const limited = await createTestService({ config: { rateLimitPerMinute: 4 } });
    const client = await connectClient(await limited.listen(), limited.keys.member, { mode: 'legacy' });
    expect(readJson(await client.callTool({ name: 'get_me', arguments: {} }))).toHaveProperty('key');
    await expect(client.callTool({ name: 'get_me', arguments: {} })).rejects.toThrow('rate_limit_exceeded');
    await client.close();
    await limited.close();
  });

  it('that waits gets its answer when the service stops', async () => {
    const stopping = await createTestService({ engines: [createScriptedEngine()] });
    const client = await connectClient(await stopping.listen(), stopping.keys.member);
    const ordered = readJson(await client.callTool({ name: 'create_image', arguments: ORDER }));
    const wait = { generation_id: ordered['id'], timeout_seconds: 50 };
    let waits = false;
    const waiting = client.callTool(
      { name: 'wait_for_generation', arguments: wait },
      { onprogress: () => (waits = true) },
    );
    await expect.poll(() => waits).toBe(true);
    const closing = stopping.close();
    expect(readJson(await waiting)).toMatchObject({ id: ordered['id'], status: 'queued' });
    await client.close();
    await closing;
  });
});

describe('many clients', () => {
  it('are served at the same time, and a key holds a bounded number of waits', async () => {
    const { keys, call } = service.get();
    const { body } = await call('create_generation', {
      body: { task: 'image.create', model: ORDER.model, input: ORDER.input },
      key: keys.member,
    });
    const many = await Promise.all(Array.from({ length: 30 }, () => connect(keys.member)));
    const wait = { name: 'wait_for_generation', arguments: { generation_id: body.id, timeout_seconds: 50 } };
    const calls = many.map((client) => client.callTool(wait));
    let rejections = 0;
    for (const each of calls) void each.then(({ isError }) => (rejections += isError ? 1 : 0));
    await expect.poll(() => rejections).toBe(10);
    await call('cancel_generation', { params: { generation_id: body.id }, key: keys.member });
    const rejected = (await Promise.all(calls)).filter(({ isError }) => isError);
    expect(rejected).toHaveLength(10);
    for (const result of rejected) expect(readError(result).code).toBe('rate_limit_exceeded');
    expect((await many[0]?.callTool(wait))?.isError).toBeFalsy();
  });
});

describe('the OpenAPI document', () => {
  it('does not describe the protocol', async () => {
    const document = await (await fetch(new URL('/openapi.json', url))).text();
    expect(document).not.toContain('/mcp');
  });
});
