import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

const never = new AbortController().signal;

/** Takes turns in the given order, and records whose have begun. */
async function start(turns: ReturnType<typeof createTurns>, keys: readonly string[], signal = never) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const all = keys.map(async (name) => {
    ends.set(name, await turns.take(name.charAt(0), signal));
    begun.push(name);
  });
  await nextTurn();
  return { begun, all, end: async (name: string) => (ends.get(name)?.(), nextTurn()) };
}

it('lets a key have its share only, while others begin', async () => {
  const { begun, end } = await start(createTurns({ perKey: 2, total: 3 }), ['a1', 'a2', 'a3', 'b1', 'b2']);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
  await end('a1');
  await end('a1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3']);
});

it('begins in the order of the requests', async () => {
  const { begun, end } = await start(createTurns({ perKey: 1, total: 1 }), ['a1', 'b1', 'a2', 'c1']);
  for (const name of ['a1', 'b1', 'a2']) await end(name);
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c1']);
});

it('skips a request that has ended', async () => {
  const turns = createTurns({ perKey: 1, total: 1 });
  const leaving = new AbortController();
  const first = await start(turns, ['a1']);
  const { all } = await start(turns, ['b1'], leaving.signal);
  const last = await start(turns, ['c1']);
  leaving.abort();
  await expect(all[0]).rejects.toThrow('left before its turn');
  await first.end('a1');
  expect(last.begun).toEqual(['c1']);
  await expect(turns.take('d', leaving.signal)).rejects.toThrow('left before its turn');
});
