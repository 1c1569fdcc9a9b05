import { expect, it } from 'vitest';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { searchOrder } from './testing/batch-fixture.ts';

const service = useSharedService(() => ({ engines: [createScriptedEngine()] }));
const picture = (prompt: string) => ({ task: 'image.create', model: 'imgmodel-a-2', input: { prompt } });

it('prices each order or says why it can not start, and charges nothing', async () => {
  const { call } = service.get();
  const gone = `${service.get().deps.config.publicUrl}/media/upl_01m7y6v0gyeg6ksk7hyezzk3qs`;
  const orders = [
    picture('a kite'),
    picture(' '),
    searchOrder('cats'),
    { task: 'image.edit', model: 'imgmodel-a-2', input: { prompt: 'x', images: [{ url: gone }] } },
    { task: 'image.create', model: 'no-model', input: { prompt: 'x' } },
    { task: 'video.edit', model: 'vidmodel-c-2.5', input: { prompt: 'x', video: { url: 'https://a.example/v.mp4' } } },
  ];
  const before = (await call('get_billing_summary')).body;
  const { body } = await call('estimate_batch', { body: { orders } });
  expect(body.orders.map(({ basis, error }) => error?.details?.[0]?.path ?? error?.code ?? basis)).toEqual([
    'exact',
    'input.prompt',
    'exact',
    'input.images.0',
    'model_not_found',
    'upper_bound',
  ]);
  expect(body).toMatchObject({ valid_count: 3, invalid_count: 3 });
  const sum = body.orders.reduce((total, { amount_usd }) => total + Number(amount_usd ?? 0), 0);
  expect(Number(body.amount_usd)).toBeCloseTo(sum, 6);
  expect((await call('get_billing_summary')).body).toEqual(before);
  expect((await call('list_batches')).body.data).toEqual([]);
});

it('checks the tags of people and the scope of keys', async () => {
  const { call, addPerson } = service.get();
  await call('set_tag', { params: { tag_name: 'client' }, body: { label: 'Client', required: true, values: null } });
  const { session: key } = await addPerson('member', 'Ada');
  const orders = [picture('a'), { ...picture('b'), metadata: { client: 'Acme' } }];
  const { body } = await call('estimate_batch', { key, body: { orders } });
  expect(body.orders.map(({ error }) => error?.details?.[0]?.path ?? null)).toEqual(['metadata.client', null]);
  const shared = (await call('estimate_batch', { key, body: { orders, metadata: { client: 'Acme' } } })).body;
  expect(shared.invalid_count).toBe(0);
  await call('delete_tag', { params: { tag_name: 'client' } });
  const { key: narrow } = (
    await call('create_api_key', {
      body: { name: 'Narrow', kind: 'member', scopes: { models: null, tasks: ['social.search'], read_only: false } },
    })
  ).body;
  const scoped = (await call('estimate_batch', { key: narrow, body: { orders: [picture('a'), searchOrder('b')] } }))
    .body;
  expect(scoped.orders.map(({ error }) => error?.code ?? null)).toEqual(['authentication_error', null]);
});

it('takes 1,000 orders with few queries', async () => {
  const { call, callError } = service.get();
  const orders = Array.from({ length: 1000 }, (_, index) => picture(`Picture ${index}`));
  const { body } = await call('estimate_batch', { body: { orders } });
  expect(body).toMatchObject({ valid_count: 1000, amount_usd: '30.00' });
  const more = { body: { orders: [...orders, picture('one more')] } };
  expect((await callError('estimate_batch', more)).error.details?.[0]?.path).toBe('orders');
  const { body: batch } = await call('create_batch', { body: { mode: 'list', orders } });
  expect(batch).toMatchObject({ counts: { total: 1000, waiting: 1000 }, estimated_usd: '30.00' });
});

it('copies metadata of the batch to its orders, at most 50 values together', async () => {
  const values = (count: number, name: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, 'x']));
  const orders = [picture('a'), { ...picture('b'), metadata: values(30, 'own') }];
  const { error } = await service.get().callError('estimate_batch', { body: { orders, metadata: values(30, 'all') } });
  expect(error.details?.map(({ path }) => path)).toEqual(['orders.1.metadata']);
});

it('takes lists with long prompts, up to 8 MiB', async () => {
  const { call, callError } = service.get();
  const long = Array.from({ length: 700 }, () => picture('é'.repeat(2_000)));
  expect((await call('estimate_batch', { body: { orders: long } })).body.valid_count).toBe(700);
  const more = Array.from({ length: 300 }, () => picture('x'.repeat(30_000)));
  expect((await callError('estimate_batch', { body: { orders: more } })).status).toBe(413);
});
