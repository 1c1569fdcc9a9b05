import { describe, expect, it } from 'vitest';
import type { Generation } from '#contract/resources/generation.ts';
import { placeOrJoin } from './lost-orders.ts';

const PROMPT = 'x'.repeat(20_000);
const createOrder = (id: string) => ({ id, input: { prompt: PROMPT } }) as unknown as Generation;

type Call = Parameters<typeof placeOrJoin>[0];

/** A request, of a client that is gone or not. @returns the orders, and whether they were placed for it */
async function send(key_id: string, url: string, isGone: boolean) {
  const leaving = new AbortController();
  const call = {
    caller: { key_id },
    request: { url },
    body: undefined,
    metadata: null,
    idempotency_key: undefined,
    disconnected: leaving.signal,
    send: async (_name: string, { params }: { params: { generation_id: string } }) => createOrder(params.generation_id),
  } as unknown as Call;
  let isPlaced = false;
  const orders = placeOrJoin(call, async () => {
    isPlaced = true;
    return [createOrder(`${key_id} ${url}`)];
  });
  if (isGone) leaving.abort();
  return { ids: (await orders).map(({ id }) => id), isPlaced };
}

describe('a request whose response was lost', () => {
  it('is joined by the next equal one, and only by that', async () => {
    expect(await send('a', '/one', true)).toMatchObject({ isPlaced: true });
    expect(await send('b', '/one', false)).toMatchObject({ isPlaced: true });
    expect(await send('a', '/one', false)).toEqual({ ids: ['a /one'], isPlaced: false });
    expect(await send('a', '/one', false)).toMatchObject({ isPlaced: true });
  });

  it('is not forgotten for those of another key, of which the oldest are', async () => {
    await send('quiet', '/one', true);
    for (let index = 0; index < 300; index += 1) await send('busy', `/${index}`, true);
    expect(await send('quiet', '/one', false)).toMatchObject({ isPlaced: false });
    expect(await send('busy', '/199', false)).toMatchObject({ isPlaced: true });
    expect(await send('busy', '/200', false)).toMatchObject({ isPlaced: false });
  });
});
