import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const never = new AbortController().signal;

test('admits so many at a time, the others in order', async () => {
  const slots = createSlots(2);
  const order: string[] = [];
  const first = await slots.take(never);
  await slots.take(never);
  const third = slots.take(never).then(() => order.push('third'));
  const fourth = slots.take(never).then(() => order.push('fourth'));
  await Promise.resolve();
  expect(order).toEqual([]);
  first();
  first();
  await third;
  expect(order).toEqual(['third']);
  await expect(Promise.race([fourth, Promise.resolve('waits')])).resolves.toBe('waits');
});

test('who is aborted while waiting takes no place', async () => {
  const slots = createSlots(1);
  const release = await slots.take(never);
  const stop = new AbortController();
  const waiting = slots.take(stop.signal);
  stop.abort(new Error('stop'));
  await expect(waiting).rejects.toThrow('stop');
  release();
  await expect(slots.take(never)).resolves.toBeTypeOf('function');
});

test('who comes aborted is refused', async () => {
  await expect(createSlots(1).take(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});
