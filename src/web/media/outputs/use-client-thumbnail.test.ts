import { expect, it } from 'vitest';
import { createWorkQueue } from './use-client-thumbnail.ts';

const idle = new AbortController().signal;

it('limits concurrency and runs the newest waiting job first', async () => {
  const queue = createWorkQueue(1);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue(() => gate.promise.then(() => void order.push('first')), idle);
  const others = ['old', 'new'].map((name) => queue(() => Promise.resolve(void order.push(name)), idle));
  expect(order).toEqual([]);
  gate.resolve();
  await Promise.all([first, ...others]);
  expect(order).toEqual(['first', 'new', 'old']);
});

it('skips aborted jobs and continues after a failure', async () => {
  const queue = createWorkQueue(1);
  const gate = Promise.withResolvers<void>();
  const failing = queue(() => gate.promise.then(() => Promise.reject(new Error('broken'))), idle);
  const control = new AbortController();
  let hasStarted = false;
  const aborted = queue(() => Promise.resolve(void (hasStarted = true)), control.signal);
  const result = queue(() => Promise.resolve('done'), idle);
  control.abort(new Error('aborted'));
  gate.resolve();
  await expect(failing).rejects.toThrow('broken');
  await expect(aborted).rejects.toThrow('aborted');
  await expect(result).resolves.toBe('done');
  expect(hasStarted).toBe(false);
});
