import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { providerCredentials } from '#server/platform/db/provider-schema.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createApp } from '#server/http/create-app.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createConnection } from './connections.ts';
import { createProviderOffering } from './provider-offering.ts';

const KEY = 'sk-of-the-environment-0123';
const TYPED_KEY = 'sk-typed-by-somebody-4567';
const MODELS = [{ task: 'image.create' as const, model: 'imgmodel-a-2' as const, markup_percent: null }];

let gateway: FakeUpstreamServer;
let other: Server;
let other_address: string;
let received: (string | undefined)[];
let service: TestService;
const local = createScriptedEngine();

beforeAll(async () => {
  gateway = await startFakeUpstream(KEY, createFakeOpenAiHandler);
  other = createServer((request, response) => {
    received.push(request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  other_address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`;
  vi.stubEnv('OPENAI_API_KEY', KEY);
  vi.stubEnv('OPENAI_BASE_URL', gateway.base_url);
  vi.stubEnv('COMFY_API_KEY', KEY);
  const fetcher = createFetcher({ allow_private_networks: ['127.0.0.0/8'] });
  service = await createTestService({ engines: [local], fetcher });
});
afterAll(async () => {
  await service.close();
  vi.unstubAllEnvs();
  other.close();
  await gateway.close();
});
beforeEach(() => {
  received = [];
});

const credential = { provider: 'openai' as const, use_environment: true };

describe('a key of the environment', () => {
  it('is not sent to another address that somebody types', async () => {
    const request = { ...credential, address: other_address };
    const errors = [
      await service.callError('test_provider_key', { body: request }),
      await service.callError('connect_provider', { body: { ...request, models: MODELS } }),
    ];
    for (const { status, error } of errors) {
      expect([status, error.details?.[0]?.path]).toEqual([422, 'address']);
      expect(error.message).toBe(
        `The key in OPENAI_API_KEY is only sent to ${gateway.base_url}. Paste a key to use another address.`,
      );
    }
    expect(received).toEqual([]);
    expect((await service.call('list_providers')).body.data).toEqual([]);
  });

  it('is sent to the address of the environment, typed or not', async () => {
    for (const address of [undefined, gateway.base_url, `${gateway.base_url}/`]) {
      const body = { ...credential, ...(address === undefined ? {} : { address }) };
      expect((await service.call('test_provider_key', { body })).body.ok).toBe(true);
    }
    const { body } = await service.call('connect_provider', { body: { ...credential, models: MODELS } });
    expect(body).toMatchObject({ state: 'active', address: gateway.base_url });
  });

  it('is not offered for a provider without an address of its own', async () => {
    const { data } = (await service.call('list_provider_presets')).body;
    expect(data.find(({ id }) => id === 'comfyui')?.environment_key).toBeNull();
    const body = { provider: 'comfyui' as const, use_environment: true, address: other_address };
    const { status, error } = await service.callError('test_provider_key', { body });
    expect([status, error.details?.[0]?.path, received]).toEqual([422, 'use_environment', []]);
  });

  /** A connection as stored by a version that recorded nothing about its key. */
  async function storeEarlier(provider: 'openai' | 'comfyui', address: string, api_key: string) {
    const { deps } = service;
    const id = await createConnection(deps, { provider, address, api_key, models: MODELS, created_by: null });
    const own = eq(providerCredentials.connection_id, id);
    await deps.db.update(providerCredentials).set({ key_state: null }).where(own);
    const base = { file_engines: [], local_engines: [local], ...deps.offering.current() };
    return { id, offering: await createProviderOffering(deps, base) };
  }

  it.each(['openai', 'comfyui'] as const)(
    'that an earlier version stored for %s elsewhere is withheld',
    async (provider) => {
      const { id, offering } = await storeEarlier(provider, other_address, KEY);
      const app = await createApp({ ...service.deps, offering });
      const { call } = createTestClient(app, service.keys.organization);
      const reason =
        'Its key is that of the environment, which is not sent to another address. Enter a key for this address.';
      const at = { params: { provider_id: id } };
      expect((await call('get_provider', at)).body).toMatchObject({ state: 'paused', paused_reason: reason });
      expect((await call('test_provider', at)).body).toMatchObject({ ok: false, message: reason });
      expect((await call('update_provider', { ...at, body: { state: 'active' } })).body.state).toBe('paused');
      expect(offering.current().engines.filter(({ name }) => name.startsWith(id))).toEqual([]);
      expect(received).toEqual([]);

      if (provider === 'openai') {
        const { body } = await call('rotate_provider_key', { ...at, body: { key: TYPED_KEY } });
        expect(body).toMatchObject({ state: 'active', paused_reason: null });
        expect(received).toEqual([`Bearer ${TYPED_KEY}`]);
      }
      await app.close();
    },
  );

  it.each([
    ['a typed key', TYPED_KEY, 'elsewhere'],
    ['its key at its address', KEY, 'gateway'],
  ])('leaves an earlier connection with %s alone', async (_, api_key, where) => {
    const address = where === 'gateway' ? gateway.base_url : other_address;
    const { id, offering } = await storeEarlier('openai', address, api_key);
    const { engines } = offering.current();
    expect(engines.some(({ name }) => name.startsWith(id))).toBe(true);
  });
});
