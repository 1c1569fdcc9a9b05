import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '#server/app/compose.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { providerConnections } from '#server/platform/db/schema/provider-schema.ts';
import { createFakeOpenAiHandler } from '#server/models/providers/openai/testing/fake-openai-server.ts';
import {
  type FakeUpstreamServer,
  respondWith,
  startFakeUpstream,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { createApp } from '#server/http/create-app.ts';
import { startWorker } from '#server/app/worker.ts';
import { createProviderOffering } from './provider-offering.ts';
import { createLocalImage } from './testing/create-local-image.ts';

const KEY = 'sk-test-0123456789abcdef';
const WRONG_KEY = 'sk-wrong-9876543210fedcba';
const CHOICE = { task: 'image.create', model: 'imgmodel-a-2', provider_model: 'local-painter' } as const;

let upstream: FakeUpstreamServer;
let service: TestService;
const lines: string[] = [];
const local = createScriptedEngine();

beforeAll(async () => {
  upstream = await startFakeUpstream(KEY, createFakeOpenAiHandler);
  upstream.upstream.outputs = [await createLocalImage()];
});
afterAll(() => upstream.close());

/** @returns a function that closes it */
async function startService(): Promise<() => Promise<void>> {
  lines.length = 0;
  service = await createTestService({
    engines: [local],
    fetcher: createFetcher({ allowPrivateNetworks: ['127.0.0.0/8'] }),
    log: createLogger({ logLevel: 'trace' }, { write: (line) => void lines.push(line) }),
  });
  return () => service.close();
}

const draft = (changes: object = {}) => ({
  provider: 'openai-compatible' as const,
  address: upstream.base_url,
  key: KEY,
  models: [CHOICE],
  ...changes,
});
const connect = async () => (await service.call('connect_provider', { body: draft() })).body;

describe('an administrator', () => {
  beforeEach(startService);

  it('cannot test keys without end', async () => {
    const { models: _, ...body } = draft();
    const statuses: number[] = [];
    for (let times = 0; times < 32; times += 1)
      statuses.push((await service.request('test_provider_key', { body })).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429]);
    const { status, error, headers } = await service.callError('connect_provider', { body: draft() });
    expect([status, error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await service.call('list_providers')).body.data).toEqual([]);
  });

  it('can connect 50 providers at most', async () => {
    const now = service.deps.clock.now();
    const row = { provider: 'openai-compatible', state: 'active', created_at: now, updated_at: now } as const;
    const rows = Array.from({ length: 50 }, () => ({ ...row, id: createId('prv', now), models: [] }));
    await service.deps.db.insert(providerConnections).values(rows);
    const { status, error } = await service.callError('connect_provider', { body: draft() });
    expect([status, error.details?.[0]?.path]).toEqual([422, 'provider']);
  });
});

describe('a request', () => {
  beforeAll(startService);

  it.each<[string, string, object]>([
    ['too many models', 'models', { models: Array.from({ length: 101 }, () => CHOICE) }],
    ['a long workflow', 'models.0.workflow', { models: [{ ...CHOICE, workflow: 'x'.repeat(200_001) }] }],
    ['a long model name', 'models.0.provider_model', { models: [{ ...CHOICE, provider_model: 'x'.repeat(201) }] }],
    ['a high markup', 'models.0.markup_percent', { models: [{ ...CHOICE, markup_percent: 1_001 }] }],
    ['a long key', 'key', { key: 'k'.repeat(4_097) }],
    ['a key with a line break', 'key', { key: 'sk-one\nsk-two' }],
    ['a key that no header can hold', 'key', { key: 'sk-schlüssel' }],
    ['a long address', 'address', { address: `https://${'a'.repeat(500)}.example` }],
    ...[
      'ftp://a.example',
      'https://',
      'https://user:password@a.example',
      'https://a.example/?key=1',
      'https://a.example/#x',
      'https://a b.example',
      'a.example/v1',
      'javascript:alert(1)',
    ].map((address): [string, string, object] => [`the address ${address}`, 'address', { address }]),
  ])('with %s is rejected', async (_case, path, changes) => {
    const { status, error } = await service.callError('connect_provider', { body: draft(changes) });
    expect([status, error.details?.[0]?.path]).toEqual([422, path]);
  });
});

describe('the log', () => {
  beforeEach(startService);

  it('has no key after failed checks and failed jobs', async () => {
    const echo = JSON.stringify({ error: { message: `Incorrect API key provided: ${KEY}`, code: 'invalid_api_key' } });
    const { id } = await connect();
    const at = { params: { provider_id: id } };
    for (const fault of [
      respondWith(401, echo),
      respondWith(500, echo),
      respondWith(200, `<html>${KEY}</html>`),
      respondWith(200, JSON.stringify([KEY])),
    ]) {
      upstream.injectFault(fault);
      expect((await service.call('test_provider', at)).body.ok).toBe(false);
    }
    await service.callError('connect_provider', { body: draft({ key: WRONG_KEY }) });
    await service.callError('rotate_provider_key', { ...at, body: { key: WRONG_KEY } });
    await service.callError('connect_provider', { body: draft({ key: `${WRONG_KEY} ` + WRONG_KEY }) });

    const worker = await startWorker(service.deps);
    const body = { task: CHOICE.task, model: CHOICE.model, input: { prompt: 'a pear' } };
    const statuses: string[] = [];
    for (const fault of [
      respondWith(401, echo),
      respondWith(400, echo),
      respondWith(200, `<html>${KEY}</html>`),
      respondWith(200, JSON.stringify({ data: [{ b64_json: KEY }] })),
    ]) {
      upstream.injectFault(fault);
      const generation_id = (await service.call('create_generation', { body })).body.id;
      statuses.push(
        await waitFor(`${generation_id} to complete`, async () => {
          const { status } = (await service.call('get_generation', { params: { generation_id } })).body;
          return ['succeeded', 'failed', 'manual_review'].includes(status) && status;
        }),
      );
    }
    await worker.stop();
    expect(statuses).not.toContain('succeeded');
    expect(lines.length).toBeGreaterThan(20);
    const stored = await service.deps.db.select().from(providerConnections);
    const text = lines.join('') + JSON.stringify(stored);
    for (const key of [KEY, WRONG_KEY]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(Buffer.from(key).toString('base64'));
    }
  });
});

describe('a changed SECRET_KEY', () => {
  beforeEach(startService);

  it('is shown as a problem of the connection until its key is entered again', async () => {
    const { id } = await connect();
    const at = { params: { provider_id: id } };
    const secrets = createSecrets('another secret of the tests');
    const base = { file_engines: [], local_engines: [local], ...service.deps.offering.current() };
    const offering = await createProviderOffering({ ...service.deps, secrets }, base);
    const app = await createApp({ ...service.deps, secrets, offering });
    const { call } = createTestClient(app, service.keys.organization);
    const reason = 'Its key can no longer be read, because SECRET_KEY has changed. Enter the key again.';
    const broken = { id, state: 'paused', paused_reason: reason, key_last_four: 'cdef' };
    expect((await call('list_providers')).body.data).toMatchObject([broken]);
    expect((await call('get_me')).body.providers?.paused).toMatchObject([{ id, reason }]);
    expect((await call('test_provider', at)).body).toEqual({ object: 'provider_test', ok: false, message: reason });
    expect((await call('update_provider', { ...at, body: { state: 'active' } })).body).toMatchObject(broken);
    expect(offering.current().engines.map(({ name }) => name)).toEqual(['preview']);

    const repaired = await call('rotate_provider_key', { ...at, body: { key: KEY } });
    expect(repaired.body).toMatchObject({ state: 'active', paused_reason: null });
    expect((await call('test_provider', at)).body.ok).toBe(true);
    expect(offering.current().engines.some(({ name }) => name.startsWith(`${id}.2/`))).toBe(true);
    await app.close();
  });
});
