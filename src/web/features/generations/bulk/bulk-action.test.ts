import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { bulkAction, resumeBulkAction, startBulkAction, stopBulkAction } from './bulk-action.ts';

interface SentRequest {
  path: string;
  ids: string[] | undefined;
  idempotency_key: string | null;
}

let sent: SentRequest[];
let respond: (request: SentRequest) => Response;
const client = new QueryClient();

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit) => {
    const { ids } = (typeof body === 'string' ? JSON.parse(body) : {}) as { ids?: string[] };
    const request = { path, ids, idempotency_key: new Headers(headers).get('idempotency-key') };
    sent.push(request);
    return respond(request);
  });
});

const generations = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `gen_${at}`, status: 'failed' }) as Generation);
const settled = () => expect.poll(() => bulkAction.get()?.state).not.toBe('running');
const refuse = (status: number, code: string) =>
  Response.json({ error: { code, message: `Because of ${code}.`, details: [] } }, { status });

it('cancels in batches and lists what was kept, and why', async () => {
  respond = ({ ids = [] }) =>
    Response.json({
      object: 'generation_cancellation',
      canceled: ids.filter((id) => id !== 'gen_3'),
      kept: ids.includes('gen_3') ? [{ id: 'gen_3', status: 'succeeded' }] : [],
      has_more: false,
    });
  startBulkAction(client, 'cancel', generations(120));
  await settled();
  expect(sent.map(({ ids }) => ids?.length)).toEqual([50, 50, 20]);
  expect(bulkAction.get()).toMatchObject({
    state: 'finished',
    succeeded: 119,
    failures: [{ generation: { id: 'gen_3' }, message: 'It had already finished.' }],
  });
});

it('reports generations that cannot be retried and goes on', async () => {
  respond = ({ path }) =>
    path.includes('gen_1/') ? refuse(409, 'retry_not_latest') : Response.json({ id: 'gen_new' });
  startBulkAction(client, 'retry', generations(6));
  await settled();
  expect(bulkAction.get()).toMatchObject({
    state: 'finished',
    succeeded: 5,
    failures: [{ generation: { id: 'gen_1' }, message: 'Because of retry_not_latest.' }],
  });
});

it('stops when the next ones would fail too, and continues with the same keys', async () => {
  respond = ({ path }) =>
    path.includes('gen_5/') ? refuse(402, 'insufficient_balance') : Response.json({ id: 'gen_new' });
  startBulkAction(client, 'retry', generations(6));
  await settled();
  expect(bulkAction.get()).toMatchObject({
    state: 'stopped',
    succeeded: 4,
    problem: 'Because of insufficient_balance.',
  });
  respond = () => Response.json({ id: 'gen_new' });
  const before = sent.slice(-2);
  await resumeBulkAction(client);
  expect(sent.slice(-2)).toEqual(before);
  expect(bulkAction.get()).toMatchObject({ state: 'finished', succeeded: 6, failures: [] });
});

it('stops after the batch when the person asks it to', async () => {
  respond = () => {
    stopBulkAction();
    return Response.json({ id: 'gen_new' });
  };
  startBulkAction(client, 'retry', generations(6));
  await settled();
  await expect.poll(() => bulkAction.get()).toMatchObject({ state: 'stopped', succeeded: 4, problem: null });
});
