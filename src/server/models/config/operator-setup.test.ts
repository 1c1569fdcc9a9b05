import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { startWorker, type Worker } from '#server/app/worker.ts';
import { createFetcher } from '#server/platform/net/fetcher.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { readRequestBody, sendJson } from '#server/models/engine/testing/fake-upstream-server.ts';
import { readEngines } from './read-engines.ts';

const upstream: RequestListener = async (request, response) => {
  if (request.headers['x-api-key'] !== 'a-secret') return sendJson(response, 401, {});
  const body = JSON.parse(String(await readRequestBody(request)));
  if (request.url === '/search?platform=a') {
    const posts = [
      { code: 'p1', link: 'https://social.example/p1', by: 'ana', text: body.words, plays: 12 },
      { code: 'p2', link: 'https://social.example/p2', by: 'bo', text: null, plays: 7 },
    ];
    return sendJson(response, 200, { posts: posts.slice(0, body.count) });
  }
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#284' } })
    .png()
    .toBuffer();
  sendJson(response, 200, {
    b64: picture.toString('base64'),
    quality: body.quality === 'auto' ? 'medium' : body.quality,
  });
};

const file = (base_url: string) => ({
  engines: {
    finder: { adapter: 'http', base_url, api_key_env: 'SERVICE_KEY', key_header: 'X-Api-Key' },
  },
  tasks: {
    'social.search': {
      engine: 'finder',
      submit: {
        path: '/search',
        query: { platform: '{{ $substringAfter(input.platform, "social_") }}' },
        body: '{ "words": input.query, "count": input.limit }',
      },
      data: `{
        "platform": input.platform,
        "query": input.query,
        "count": $count(answer.posts),
        "videos": [answer.posts.{
          "id": code, "platform": $$.input.platform, "url": link, "caption": text,
          "creator": { "username": by }, "metrics": { "views": plays }
        }]
      }`,
    },
  },
  models: {
    'imgmodel-a-2.5-flare': {
      engine: 'finder',
      tasks: {
        'image.create': {
          submit: { path: '/paint', body: '{ "prompt": input.prompt, "quality": input.quality }' },
          outputs: '{ "base64": answer.b64 }',
          used: '{ "quality": answer.quality }',
          cost_usd: '0.004',
        },
      },
    },
  },
  prices: [
    {
      task: 'image.create',
      model: 'imgmodel-a-2.5-flare',
      unit_price_usd: '0.01',
      minimum_usd: '0.002',
      multipliers: { quality: { medium: '2', max: '6' } },
    },
  ],
});

let service: TestService;
let worker: Worker;
const server = createServer((request, response) => void upstream(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fetcher = createFetcher();
  const read = readEngines(file(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), {
    openService: fetcher.createService,
    readEnv: (name) => (name === 'SERVICE_KEY' ? 'a-secret' : null),
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  service = await createTestService({ fetcher, ...read.setup });
  worker = await startWorker(service.deps);
});
afterAll(async () => {
  await worker.stop();
  await service.close();
  server.closeAllConnections();
  server.close();
});

async function createAndWait(
  body: BodyInput<'create_generation'>,
): Promise<{ created: Generation; completed: Generation }> {
  const created = (await service.call('create_generation', { body })).body;
  const completed = await waitFor(`${body.task} to complete`, async () => {
    const now = (await service.call('get_generation', { params: { generation_id: created.id } })).body;
    return ['succeeded', 'failed', 'manual_review'].includes(now.status) && now;
  });
  return { created, completed };
}
const order = (quality: string) => ({
  task: 'image.create' as const,
  model: 'imgmodel-a-2.5-flare' as const,
  input: { prompt: 'a pear', quality },
});

test('a configured search runs without code', async () => {
  const { completed } = await createAndWait({
    task: 'social.search',
    input: { platform: 'social_a', query: 'pears', limit: 2 },
  });
  expect(completed).toMatchObject({
    status: 'succeeded',
    error: null,
    output: {
      assets: [],
      data: {
        platform: 'social_a',
        query: 'pears',
        count: 2,
        videos: [
          {
            id: 'p1',
            url: 'https://social.example/p1',
            caption: 'pears',
            creator: { username: 'ana' },
            metrics: { views: 12 },
          },
          { id: 'p2', caption: null },
        ],
      },
    },
    usage: { amount_usd: '0.014', billing_status: 'settled' },
  });
});

describe('the operator’s prices', () => {
  test('are published, estimated, reserved and settled from one price book', async () => {
    const { body: pricing } = await service.call('get_pricing', { key: null });
    expect(pricing.data).toHaveLength(29);
    expect(pricing.data.filter(({ multipliers }) => multipliers)).toEqual([
      {
        task: 'image.create',
        model: 'imgmodel-a-2.5-flare',
        unit: 'image',
        unit_price_usd: '0.01',
        minimum_usd: '0.002',
        note: null,
        multipliers: { quality: { medium: '2', max: '6' } },
      },
    ]);
    const { body: estimate } = await service.call('create_estimate', { key: null, body: order('medium') });
    expect(estimate).toMatchObject({ amount_usd: '0.02', minimum_usd: '0.002', basis: 'exact' });
    const { created, completed } = await createAndWait(order('medium'));
    expect(created.usage).toMatchObject({ amount_usd: '0.02', billing_status: 'reserved' });
    expect(completed.usage).toMatchObject({ amount_usd: '0.02', billing_status: 'settled' });
  });

  test('reserve the highest multiplier for auto and settle at the one used', async () => {
    const { body: estimate } = await service.call('create_estimate', { key: null, body: order('auto') });
    expect(estimate).toMatchObject({ amount_usd: '0.06', basis: 'upper_bound' });
    const { created, completed } = await createAndWait(order('auto'));
    expect(created.usage.amount_usd).toBe('0.06');
    expect(completed.usage).toEqual({
      amount_usd: '0.02',
      refunded_usd: '0.00',
      billing_status: 'settled',
      line_items: [
        {
          description: 'imgmodel-a-2.5-flare · Quality Medium × 2',
          quantity: '1',
          unit: 'image',
          unit_price_usd: '0.02',
          amount_usd: '0.02',
        },
      ],
    });
    const { body: ledger } = await service.call('list_ledger', { query: { generation_id: completed.id } });
    expect(ledger.data.map(({ type, amount_usd }) => `${type} ${amount_usd}`).sort()).toEqual([
      'RELEASE 0.06',
      'RESERVE -0.06',
      'SETTLE -0.02',
    ]);
  });
});

test('reports the engine of each task', async () => {
  const { body: models } = await service.call('list_models', { key: null });
  const flare = models.data.find(({ id }) => id === 'imgmodel-a-2.5-flare');
  expect(flare).toMatchObject({ available: true, engine: 'upstream' });
  expect(flare?.tasks.map(({ task, engine }) => [task, engine])).toEqual([
    ['image.create', 'upstream'],
    ['image.edit', undefined],
  ]);
  const { body: tasks } = await service.call('list_tasks', { key: null });
  expect(tasks.data.find(({ id }) => id === 'social.search')).toMatchObject({ available: true, engine: 'upstream' });
});
