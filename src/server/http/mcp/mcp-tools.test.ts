import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import type { Generation } from '#contract/resources/generation.ts';
import { PRICES } from '#contract/money/pricing.ts';
import { BUILT_IN_TASK_IDS, EXTRA_TASK_IDS } from '#contract/ids.ts';
import { createTestClient } from '#server/app/testing/test-client.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { useSharedService, type TestOrganization } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createWorkerFixture } from '#server/studio/generations/testing/worker-fixture.ts';
import { connectClient, readError, readJson } from './testing/connect-client.ts';

const engine = createScriptedEngine();
const service = useSharedService(() => ({ engines: [engine], config: { maxJsonBytes: 100_000 } }));
const workers = createWorkerFixture(service);
let url: string;
let studio: TestOrganization;
let client: Client;
let lastKey = 0;
const newKey = () => `order ${(lastKey += 1)}`;

beforeAll(async () => {
  url = await service.get().listen();
  await workers.start();
  studio = await service.createOrganization('10.00');
  client = await connectClient(url, studio.key);
});
afterAll(async () => {
  engine.unblock();
  await client.close();
  await workers.stop();
});

const order = (prompt: string, more: Record<string, unknown> = {}, by: Client = client) =>
  by.callTool({
    name: 'create_image',
    arguments: { model: 'imgmodel-a-2', input: { prompt }, idempotency_key: newKey(), ...more },
  });
const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

describe.each(['auto', 'legacy'] as const)('a client that negotiates %s', (mode) => {
  it('orders a picture, waits with progress and gets a link to it', async () => {
    const other = await connectClient(url, studio.key, { mode });
    const ordered = readJson<Generation>(await order('a lighthouse', { metadata: { project: 'sea' } }, other));
    expect(ordered).toMatchObject({ object: 'generation', task: 'image.create', metadata: { project: 'sea' } });
    const progress: number[] = [];
    const result = await other.callTool(
      { name: 'wait_for_generation', arguments: { generation_id: ordered.id, include_images: true } },
      { onprogress: (step) => progress.push(step.progress) },
    );
    const done = readJson<Generation>(result);
    expect(done).toMatchObject({ id: ordered.id, status: 'succeeded', usage: { amount_usd: '0.03' } });
    const link = result.content.find(({ type }) => type === 'resource_link');
    expect(link).toMatchObject({ uri: done.output.assets[0]?.url, mimeType: 'image/png' });
    expect(result.content.some(({ type }) => type === 'image')).toBe(true);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    await other.close();
  });
});

describe('orders', () => {
  it('have one tool for each task, with the schema of the input', async () => {
    const { tools } = await client.listTools();
    expect(tools.filter(({ inputSchema }) => inputSchema.properties?.['input'])).toHaveLength(
      BUILT_IN_TASK_IDS.length + EXTRA_TASK_IDS.length + 1,
    );
    const trim = tools.find(({ name }) => name === 'trim_video');
    expect(trim?.inputSchema.required).toEqual(['input', 'idempotency_key']);
    expect(trim?.inputSchema.properties?.['input']).toMatchObject({ properties: { end_seconds: {} } });
    expect(JSON.stringify(tools)).not.toContain('$ref');
  });

  it('are placed once when a call is repeated', async () => {
    const first = await order('a boat', { idempotency_key: 'boat' });
    const second = await order('a boat', { idempotency_key: 'boat' });
    expect(readJson(second)['id']).toBe(readJson(first)['id']);
    expect(JSON.stringify(second.content)).toContain('nothing new was ordered or charged');
    expect(readError(await order('a ship', { idempotency_key: 'boat' })).code).toBe('idempotency_conflict');
  });

  it('are not found under an Idempotency-Key that another key chose', async () => {
    const { body: key } = await studio.call('create_api_key', { body: { name: 'Planter', kind: 'member' } });
    const planter = createTestClient(service.get().app, key.key);
    const me = readJson(await order('first'))['created_by'] as Generation['created_by'];
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'planted' } };
    for (const name of ['planted', `mcp:${me.id}:planted`])
      await planter.call('create_generation', { body, idempotency_key: name });
    expect(readJson(await order('planted', { idempotency_key: 'planted' }))['created_by']).toMatchObject({ id: me.id });
  });

  it('of two keys with the same idempotency_key are two orders', async () => {
    const { body } = await studio.call('create_api_key', { body: { name: 'Other', kind: 'organization' } });
    const other = await connectClient(url, body.key);
    const [first, second] = [
      await order('two', { idempotency_key: 'same' }),
      await order('two', { idempotency_key: 'same' }, other),
    ];
    expect(readJson(second)['id']).not.toBe(readJson(first)['id']);
    expect(readJson(second)['created_by']).toMatchObject({ id: body.id, name: 'Other' });
    await other.close();
  });

  it.each([
    [{ idempotency_key: undefined }, 'idempotency_key'],
    [{ idempotency_key: 'é' }, 'idempotency_key'],
    [{ idempotency_key: 'x'.repeat(101) }, 'idempotency_key'],
    [{ input: {} }, 'input.prompt'],
    [{ input: { prompt: ' ' } }, 'input.prompt'],
    [{ input: { prompt: 'x', colour: 'red' } }, 'input.colour'],
    [{ metadata: { project: 1 } }, 'metadata.project'],
    [{ task: 'video.create' }, 'task'],
    [{ price: 0 }, 'price'],
  ])('with %j are an error at %s', async (more, path) => {
    const error = readError(await order('fine', more));
    expect(error.code).toBe('invalid_request');
    expect(error.details?.map((detail) => detail.path)).toContain(path);
  });

  it('without a model, with an unknown model or without funds are the error of the endpoint', async () => {
    expect(readError(await order('fine', { model: undefined })).code).toBe('model_required');
    expect(readError(await order('fine', { model: 'nothing' })).code).toBe('model_not_found');
    const poor = await service.createOrganization('0.01');
    const other = await connectClient(url, poor.key);
    expect(readError(await order('fine', {}, other)).code).toBe('insufficient_balance');
    await other.close();
  });

  it('can be canceled, and a wait ends with the status', async () => {
    const { id } = readJson<Generation>(await order('hang here'));
    const waiting = call('wait_for_generation', { generation_id: id, timeout_seconds: 50 });
    await engine.waitForStarted(1);
    expect(readJson(await call('cancel_generation', { generation_id: id }))).toMatchObject({ status: 'canceled' });
    expect(readJson(await waiting)).toMatchObject({ id, status: 'canceled' });
  });

  it('that are not done when a wait ends are returned as they are', async () => {
    const { id } = readJson<Generation>(await order('wait for it'));
    const result = await call('wait_for_generation', { generation_id: id, timeout_seconds: 1 });
    expect(readJson(result)).toMatchObject({ id, output: { assets: [] } });
    expect(JSON.stringify(result.content)).toContain('Call this tool again');
    await call('cancel_generation', { generation_id: id });
  });
});

describe('prices in descriptions', () => {
  const describeTool = async (name: string) =>
    (await client.listTools()).tools.find((tool) => tool.name === name)?.description;

  it('are those of the catalog', async () => {
    const { body } = await studio.call('get_pricing');
    const text = await describeTool('create_image');
    const rows = body.data.filter(({ task }) => task === 'image.create');
    expect(rows.length).toBeGreaterThan(5);
    for (const { model, unit_price_usd } of rows) expect(text).toContain(`- ${model}: $${unit_price_usd} per image`);
    expect(await describeTool('trim_video')).toContain('Price: free');
    expect(await describeTool('transform_image')).toContain('Price: free');
  });

  it('change with the catalog', async () => {
    const { offering } = service.get().deps;
    const prices = PRICES.map((price) => ({ ...price, unit_price_micro_usd: 7_770_000n }));
    const current = { ...offering.current(), prices };
    const spy = vi.spyOn(offering, 'current').mockReturnValue(current);
    expect(await describeTool('create_image')).toContain('imgmodel-a-2: $7.77 per image');
    spy.mockRestore();
    expect(await describeTool('create_image')).toContain('imgmodel-a-2: $0.03 per image');
  });
});

describe('other tools', () => {
  it('are in the documentation, like those that order', async () => {
    const documentation = await readFile(new URL('../../../../docs/mcp.md', import.meta.url), 'utf8');
    for (const { name } of (await client.listTools()).tools) expect(documentation).toContain(`\`${name}\``);
  });

  it('price, list and search with the same answers as the API', async () => {
    const request = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    expect(readJson(await call('create_estimate', request))).toMatchObject({ amount_usd: '0.03' });
    const list = readJson<{ data: Generation[]; has_more: boolean }>(await call('list_generations', { limit: 2 }));
    expect(list.data).toHaveLength(2);
    const found = readJson<{ data: { id: string }[] }>(await call('list_media', { q: 'lighthouse' }));
    expect(found.data.length).toBeGreaterThan(0);
    const media = await call('get_media', { media_id: found.data[0]?.id, include_images: true });
    expect(media.content.map(({ type }) => type)).toEqual(['text', 'resource_link', 'image']);
    expect(readJson(await call('get_billing_summary', {}))).toHaveProperty('available_usd');
    const models = JSON.stringify(readJson(await call('list_models', {})));
    expect(models).toContain('imgmodel-a-2');
    expect(models).not.toContain('input_schema');
  });

  it.each([
    ['get_generation', {}, 'generation_id'],
    ['get_generation', { generation_id: 'a b' }, 'generation_id'],
    ['get_generation', { generation_id: 'gen_1', include_images: 'yes' }, 'include_images'],
    ['get_me', { verbose: true }, 'verbose'],
    ['get_me', { idempotency_key: 'x' }, 'idempotency_key'],
    ['list_generations', { limit: 10_000 }, 'limit'],
    ['list_generations', { limit: [1] }, 'limit'],
    ['list_generations', { colour: 'red' }, 'colour'],
    ['wait_for_generation', {}, 'generation_id'],
    ['wait_for_generation', { generation_id: 'gen_1', timeout_seconds: 51 }, 'timeout_seconds'],
    ['wait_for_generation', { generation_id: 'gen_1', forever: true }, 'forever'],
    ['cancel_generation', { generation_id: 'gen_1', reason: 'x' }, 'reason'],
  ])('%s with %j is an error at %s', async (name, args, path) => {
    const error = readError(await call(name, args));
    expect(error.code).toBe('invalid_request');
    expect(error.details?.map((detail) => detail.path)).toContain(path);
  });

  it('do not find work of another organization', async () => {
    const { id } = readJson<Generation>(await order('mine'));
    const other = await connectClient(url, (await service.createOrganization('1.00')).key);
    for (const name of ['get_generation', 'wait_for_generation', 'cancel_generation'])
      expect(readError(await other.callTool({ name, arguments: { generation_id: id } })).code).toBe(
        'generation_not_found',
      );
    await other.close();
  });

  it('that do not exist are a protocol error', async () => {
    await expect(call('drop_tables', {})).rejects.toThrow('There is no tool with this name.');
  });
});
