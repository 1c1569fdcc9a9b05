import { expect, it } from 'vitest';
import { createKeyedQueue } from './keyed-queue.ts';

const pending = () => Promise.withResolvers<void>();

it('runs work with the same name in sequence and with other names in parallel', async () => {
  const inTurn = createKeyedQueue();
  const done: string[] = [];
  const [first, second] = [pending(), pending()];
  const all = [
    inTurn('a', () => first.promise.then(() => void done.push('first'))),
    inTurn('a', () => second.promise.then(() => void done.push('second'))),
    inTurn('b', async () => void done.push('other')),
  ];
  second.resolve();
  await all[2];
  expect(done).toEqual(['other']);
  first.resolve();
  await Promise.all(all);
  expect(done).toEqual(['other', 'first', 'second']);
});

it('continues after failed work', async () => {
  const inTurn = createKeyedQueue();
  const failed = inTurn('a', () => Promise.reject(new Error('No.')));
  const next = inTurn('a', async () => 'done');
  await expect(failed).rejects.toThrow('No.');
  expect(await next).toBe('done');
});
