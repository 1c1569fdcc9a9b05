import { expect, it, vi } from 'vitest';
import { createDecodeQueue } from './decode-queue.ts';

const LIMITS = { slots: 2, bytes: 100, waitingPerOwner: 3, waiting: 5, waitMs: 1_000 };
const BUSY = { name: 'MediaError', code: 'busy', message: expect.stringMatching(/Try again/) };

function createBench(limits: Partial<typeof LIMITS> = {}) {
  const queue = createDecodeQueue({ ...LIMITS, ...limits });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    add(name: string, bytes: number, options: { signal?: AbortSignal; isRequest?: boolean } = {}): Promise<void> {
      const [owner] = name;
      return queue.run(bytes, { owner, ...options }, () => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      });
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.();
      await expect.poll(() => ends.delete(name)).toBe(true);
      await Promise.resolve();
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('alternates between owners, regardless of how many files one sends', async () => {
  const { add, end, started } = createBench({ slots: 1 });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => add(name, 1));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) {
    await settled();
    await end(name);
  }
  await Promise.all(all);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
});

it('limits concurrent jobs by number and bytes, and lets no job overtake a heavy one', async () => {
  const { add, end, started } = createBench({ slots: 3 });
  const all = [add('a1', 60), add('b1', 30), add('c1', 20), add('d1', 1)];
  await settled();
  expect(started).toEqual(['a1', 'b1']);
  await end('a1');
  await settled();
  expect(started).toEqual(['a1', 'b1', 'c1', 'd1']);
  for (const name of ['b1', 'c1', 'd1']) await end(name);
  await Promise.all(all);
});

it('runs a job that is heavier than the budget alone', async () => {
  const { add, end, started } = createBench();
  const all = [add('a1', 1), add('b1', 5_000), add('c1', 1)];
  await settled();
  expect(started).toEqual(['a1']);
  await end('a1');
  await settled();
  expect(started).toEqual(['a1', 'b1']);
  await end('b1');
  await settled();
  await end('c1');
  await Promise.all(all);
});

it('rejects requests beyond the queue limits, but never jobs', async () => {
  const { add, end, started } = createBench({ slots: 1 });
  const request = { isRequest: true };
  const waiting = ['a0', 'a1', 'a2', 'a3'].map((name) => add(name, 1, request));
  await expect(add('a4', 1, request)).rejects.toMatchObject(BUSY);
  waiting.push(add('b1', 1, request), add('b2', 1, request));
  await expect(add('c1', 1, request)).rejects.toMatchObject(BUSY);
  waiting.push(add('c2', 1));
  expect(started).toEqual(['a0']);
  for (const name of ['a0', 'a1', 'b1', 'c2', 'a2', 'b2', 'a3']) {
    await settled();
    await end(name);
  }
  await Promise.all(waiting);
});

it('rejects a request after its maximum wait', async () => {
  vi.useFakeTimers();
  try {
    const { add } = createBench({ slots: 1 });
    void add('a1', 1, { isRequest: true });
    const late = expect(add('b1', 1, { isRequest: true })).rejects.toMatchObject(BUSY);
    await vi.advanceTimersByTimeAsync(LIMITS.waitMs);
    await late;
  } finally {
    vi.useRealTimers();
  }
});

it('removes aborted entries and continues after a failure', async () => {
  const { add, end, started } = createBench({ slots: 1 });
  const controller = new AbortController();
  const first = add('a1', 1);
  const givenUp = expect(add('b1', 1, { signal: controller.signal })).rejects.toThrow('gone');
  controller.abort(new Error('gone'));
  await givenUp;
  await end('a1');
  await first;
  const queue = createDecodeQueue({ ...LIMITS, slots: 1 });
  await expect(queue.run(1, {}, () => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged');
  expect([await queue.run(1, {}, async () => 'next'), started]).toEqual(['next', ['a1']]);
});
