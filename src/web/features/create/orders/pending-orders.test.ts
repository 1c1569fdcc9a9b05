import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { NetworkError } from '#web/api/api-errors.ts';
import type { LiveList } from '#web/api/live-list.ts';
import { signOut } from '#web/api/session/session.ts';
import {
  approvalOf,
  awaitApproval,
  groupOf,
  openResults,
  orderStore,
  retryOrders,
  startOrder,
  startRetry,
  startSideBySide,
  startTogether,
  toOrderProblem,
} from './pending-orders.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite' } } as const;
const UPDATED = '2026-11-29T12:00:00.000Z';
const generation = (id: string): Generation =>
  ({ ...ORDER, id, status: 'queued', updated_at: UPDATED, created_by: {}, output: { assets: [] } }) as never;

let sent: { path: string; body: Record<string, unknown> | null; idempotencyKey: string | null }[];
let items: Map<string, string>;
let respond: () => Response;
let client: QueryClient;

const refuse = (status: number, error: object) => () =>
  Response.json({ error: { code: 'insufficient_balance', message: 'No.', details: [], ...error } }, { status });
const loseResponse = () => {
  throw new TypeError('Failed to fetch');
};

beforeEach(() => {
  sent = [];
  items = new Map();
  client = new QueryClient();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit) => {
    const idempotencyKey = new Headers(headers).get('idempotency-key');
    sent.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null, idempotencyKey });
    return respond();
  });
  signOut();
});

const orders = () => orderStore.get().orders;
const openIds = () => orderStore.get().openIds;
const storedIds = () => (JSON.parse(items.get('emulsion.orders') ?? '[]') as [string, unknown][]).map(([id]) => id);
const isAnswered = () => expect.poll(() => orders().every(({ problem }) => problem !== null)).toBe(true);

it('shows an order at once, then its generation in its place, and stores it only until then', async () => {
  const response = Promise.withResolvers<Response>();
  respond = () => response.promise as never;
  const key = ['list_generations', { query: { limit: 50 } }, 'live'];
  client.setQueryData(key, { rows: [], newest: { data: [] }, nextCursor: null });
  startOrder(client, ORDER);
  const [order] = orders();
  expect(openIds()).toEqual([order?.id]);
  await expect.poll(storedIds).toEqual([order?.id]);
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ path: '/v1/generations', body: ORDER, idempotencyKey: order?.id });
  response.resolve(Response.json(generation('gen_1')));
  await expect.poll(openIds).toEqual(['gen_1']);
  expect(orders()).toEqual([]);
  expect(client.getQueryData<LiveList<Generation>>(key)?.rows.map(({ id }) => id)).toEqual(['gen_1']);
  await expect.poll(storedIds).toEqual([]);
});

it.each([
  ['without a response', loseResponse, true],
  ['with an error of the service', refuse(500, {}), true],
  ['that is refused', refuse(402, {}), false],
])('sends a request %s again, with the same key if it may have been accepted', async (_title, response, isUnsure) => {
  respond = response;
  startOrder(client, ORDER);
  await isAnswered();
  const [order] = orders();
  expect(order?.problem?.isUnsure).toBe(isUnsure);
  await expect.poll(storedIds).toEqual([order?.id]);
  const before = sent.length;
  respond = () => Response.json(generation('gen_2'));
  retryOrders(client, order ? [order] : []);
  retryOrders(client, order ? [order] : []);
  await expect.poll(openIds).toEqual(['gen_2']);
  expect(sent).toHaveLength(before + 1);
  expect(sent.at(-1)?.idempotencyKey === order?.id).toBe(isUnsure);
});

it('retries a generation, and retries that again', async () => {
  respond = refuse(402, { code: 'approval_required' });
  openResults(['gen_0', 'gen_1']);
  startRetry(client, { ...generation('gen_1'), batch_id: 'bat_1' });
  await isAnswered();
  const [first] = orders();
  expect(openIds()).toEqual(['gen_0', 'gen_1', first?.id]);
  expect(approvalOf(orders())).toEqual({ type: 'generation_retry', generation_id: 'gen_1' });
  respond = () => Response.json(generation('gen_3'));
  retryOrders(client, orders());
  await expect.poll(openIds).toEqual(['gen_0', 'gen_1', 'gen_3']);
  expect(sent.map(({ path }) => path)).toEqual(Array(2).fill('/v1/generations/gen_1/retry'));
  expect(groupOf('gen_3')).toBe('bat_1');
});

it('sends orders of several models one by one, and shows them together', async () => {
  respond = () => Response.json(generation(`gen_${sent.length}`));
  startSideBySide(client, [ORDER, { ...ORDER, model: 'imgmodel-a-2' }]);
  await expect.poll(orders).toEqual([]);
  expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  expect(new Set(openIds().map(groupOf)).size).toBe(1);
});

it('sends variations in one request, and gives each its generation', async () => {
  respond = () => Response.json({ id: 'bat_1', generations: [generation('gen_a'), generation('gen_b')] });
  startTogether(client, [ORDER, ORDER]);
  await expect.poll(openIds).toEqual(['gen_a', 'gen_b']);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ path: '/v1/batches', body: { mode: 'together', orders: [ORDER, ORDER] } });
});

it.each([
  ['refused', refuse(402, {}), false],
  ['without a response', loseResponse, true],
])('sends variations that were %s again as one request', async (_title, response, isUnsure) => {
  respond = response;
  startTogether(client, [ORDER, ORDER]);
  await isAnswered();
  const [first] = sent;
  const before = sent.length;
  respond = () => Response.json({ id: 'bat_2', generations: [generation('gen_c'), generation('gen_d')] });
  retryOrders(client, orders());
  await expect.poll(openIds).toEqual(['gen_c', 'gen_d']);
  expect(sent).toHaveLength(before + 1);
  expect(sent.at(-1)?.body).toEqual(first?.body);
  expect(sent.at(-1)?.idempotencyKey === first?.idempotencyKey).toBe(isUnsure);
});

it('keeps an order that waits for approval', async () => {
  respond = refuse(402, { code: 'approval_required' });
  startTogether(client, [ORDER, ORDER]);
  await isAnswered();
  expect(approvalOf(orders())).toMatchObject({ type: 'batch', batch: { mode: 'together', orders: [ORDER, ORDER] } });
  awaitApproval(orders(), 'req_1');
  for (const order of orders()) expect(order).toMatchObject({ requestId: 'req_1', problem: null });
});

it('gives the details of an invalid order to the form, with its field names', async () => {
  const details = [{ path: 'orders.0.input.prompt', message: 'Enter a prompt.' }];
  respond = refuse(422, { code: 'invalid_request', details });
  const onInvalid = vi.fn();
  startTogether(client, [ORDER, ORDER], { onInvalid });
  await expect.poll(() => onInvalid).toHaveBeenCalledWith([{ path: 'input.prompt', message: 'Enter a prompt.' }]);
  expect([orders(), openIds()]).toEqual([[], []]);
});

it('does not know whether a request without a response took effect', () => {
  expect(toOrderProblem(new NetworkError(new TypeError('Failed to fetch'))).isUnsure).toBe(true);
  expect(toOrderProblem(new Error('Failed')).isUnsure).toBe(false);
});
