import { expect, test } from 'vitest';
import { createSemaphore } from './paint-worker-pool.ts';

const never = new AbortController().signal;

test('admits a limited number at a time, the others in order', async () => {
  const slots = createSemaphore(2);
  const order: string[] = [];
  const first = await slots.acquire(never);
  await slots.acquire(never);
  const third = slots.acquire(never).then(() => order.push('third'));
  const fourth = slots.acquire(never).then(() => order.push('fourth'));
  await Promise.resolve();
  expect(order).toEqual([]);
  first();
  first();
  await third;
  expect(order).toEqual(['third']);
  await expect(Promise.race([fourth, Promise.resolve('waits')])).resolves.toBe('waits');
});

test('takes no slot when aborted while waiting', async () => {
  const slots = createSemaphore(1);
  const release = await slots.acquire(never);
  const stop = new AbortController();
  const waiting = slots.acquire(stop.signal);
  stop.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
  release();
  await expect(slots.acquire(never)).resolves.toBeTypeOf('function');
});

test('rejects an aborted signal', async () => {
  await expect(createSemaphore(1).acquire(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
