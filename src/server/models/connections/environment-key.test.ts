import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import { type FakeUpstreamServer, startFakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';

const KEY = 'sk-of-the-environment-0123';
const MODELS = [{ task: 'image.create' as const, model: 'imgmodel-a-2' as const, markup_percent: null }];

let gateway: FakeUpstreamServer;
let other: Server;
let otherAddress: string;
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
  otherAddress = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`;
  vi.stubEnv('OPENAI_API_KEY', KEY);
  vi.stubEnv('OPENAI_BASE_URL', gateway.base_url);
  vi.stubEnv('COMFY_API_KEY', KEY);
  const fetcher = createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] });
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
    const request = { ...credential, address: otherAddress };
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
    const body = { provider: 'comfyui' as const, use_environment: true, address: otherAddress };
    const { status, error } = await service.callError('test_provider_key', { body });
    expect([status, error.details?.[0]?.path, received]).toEqual([422, 'use_environment', []]);
  });
});
