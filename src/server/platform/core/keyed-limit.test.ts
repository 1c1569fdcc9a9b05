import { expect, it, vi } from 'vitest';
import { createKeyedLimit } from './keyed-limit.ts';

function createWork() {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (id: string) => () =>
    new Promise<void>((resolve, reject) => {
      started.push(id);
      ends.set(id, (error) => (error ? reject(error) : resolve()));
    });
  return { started, work, end: (id: string, error?: Error) => ends.get(id)?.(error) };
}

it('runs two of a name at a time, in order, also after one fails', async () => {
  const { started, work, end } = createWork();
  const limit = createKeyedLimit(2, 60_000);
  const runs = ['a', 'b', 'c', 'd'].map((id) => limit('first', work(id)));
  const other = limit('second', work('x'));
  expect(started).toEqual(['a', 'b', 'x']);
  const failed = expect(runs[1]).rejects.toThrow('no');
  end('b', new Error('no'));
  await failed;
  expect(started).toEqual(['a', 'b', 'x', 'c']);
  end('a');
  await runs[0];
  expect(started.at(-1)).toBe('d');
  for (const id of ['c', 'd', 'x']) end(id);
  await Promise.all([runs[2], runs[3], other]);
  const again = limit('first', work('e'));
  expect(started.at(-1)).toBe('e');
  end('e');
  await again;
});

it('lets none wait longer than the limit', async () => {
  vi.useFakeTimers();
  try {
    const { started, work, end } = createWork();
    const limit = createKeyedLimit(1, 1_000);
    const runs = ['a', 'b'].map((id) => limit('first', work(id)));
    await vi.advanceTimersByTimeAsync(999);
    expect(started).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(1);
    expect(started).toEqual(['a', 'b']);
    for (const id of ['a', 'b']) end(id);
    await Promise.all(runs);
  } finally {
    vi.useRealTimers();
  }
});
