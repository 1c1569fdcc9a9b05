import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Run } from '#web/features/create/runs/runs.ts';
import { createVariations, retryTogether, startTogether } from './start-variations.ts';

const ORDER = { task: 'image.create', model: 'imgmodel-b-2', input: { prompt: 'A kite' } };
const generation = (id: string) => ({ id, status: 'queued', output: { assets: [] } });

let sent: { path: string; body: { orders?: unknown[] }; idempotency_key: string | null }[];
let items: Map<string, string>;
let respond: () => Response;

beforeEach(() => {
  sent = [];
  items = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  });
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit) => {
    const idempotency_key = new Headers(headers).get('idempotency-key');
    sent.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null, idempotency_key });
    return respond();
  });
});

const refuse = (status: number, error: object) => () =>
  Response.json({ error: { code: 'insufficient_balance', message: 'No.', ...error } }, { status });

/** The runs of the newest group, as this tab stores them. */
function storedGroup(): Run[] {
  const runs = (JSON.parse(items.get('emulsion.runs') ?? '[]') as [string, Run][]).map(([, run]) => run);
  return runs.filter(({ group }) => group !== undefined && group === runs.at(-1)?.group);
}

it('raises a typed seed for each variation, and sends none otherwise', () => {
  const seeded = createVariations({ ...ORDER, input: { prompt: 'A kite', seed: 7 } }, 3);
  expect(seeded.map(({ input }) => input['seed'])).toEqual([7, 8, 9]);
  const [, second] = createVariations({ ...ORDER, input: { prompt: 'A kite', seed: 2_147_483_647 } }, 2);
  expect(second?.input['seed']).toBe(0);
  expect(createVariations(ORDER, 2)).toEqual([ORDER, ORDER]);
});

it('sends all variations in one request, and gives each its generation', async () => {
  respond = () => Response.json({ id: 'bat_1', generations: [generation('gen_a'), generation('gen_b')] });
  startTogether(new QueryClient(), createVariations(ORDER, 2));
  await expect.poll(() => storedGroup().map((run) => run.generation_id)).toEqual(['gen_a', 'gen_b']);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ path: '/v1/batches', body: { mode: 'together', orders: [ORDER, ORDER] } });
  expect(storedGroup().every((run) => run.together && run.batch_id === 'bat_1')).toBe(true);
});

it('shows a refusal on the group, which is sent again under a new key', async () => {
  respond = refuse(402, {});
  const client = new QueryClient();
  startTogether(client, createVariations(ORDER, 2));
  await expect.poll(() => storedGroup().map((run) => run.problem?.message)).toEqual(['No.', 'No.']);
  const first = storedGroup();
  retryTogether(client, first);
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent[1]?.idempotency_key).not.toBe(sent[0]?.idempotency_key);
  expect(sent[1]?.body).toEqual(sent[0]?.body);
});

it('sends a group whose response was lost again under the same key', async () => {
  respond = () => {
    throw new TypeError('Failed to fetch');
  };
  const client = new QueryClient();
  startTogether(client, createVariations(ORDER, 2));
  await expect.poll(() => storedGroup().map(({ problem }) => problem?.unsure)).toEqual([true, true]);
  const count = sent.length;
  respond = () => Response.json({ id: 'bat_2', generations: [generation('gen_c'), generation('gen_d')] });
  retryTogether(client, storedGroup());
  await expect.poll(() => storedGroup().map((run) => run.generation_id)).toEqual(['gen_c', 'gen_d']);
  expect(sent.length).toBeGreaterThan(count);
  expect(new Set(sent.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
});

it('gives the details of an invalid order to the form, with its field names', async () => {
  respond = refuse(422, {
    code: 'invalid_request',
    details: [{ path: 'orders.0.input.prompt', message: 'Enter a prompt.' }],
  });
  const onInvalid = vi.fn();
  startTogether(new QueryClient(), createVariations(ORDER, 2), { onInvalid });
  await expect.poll(() => onInvalid).toHaveBeenCalledWith([{ path: 'input.prompt', message: 'Enter a prompt.' }]);
});
