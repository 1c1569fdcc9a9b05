import { expect, it } from 'vitest';
import { retryWhileUnreachable } from './retry-while-unreachable.ts';

const unreachable = () => Promise.reject(new Error('Connection terminated unexpectedly'));
const running = new AbortController().signal;

it('repeats work until the database responds', async () => {
  let tries = 0;
  const work = () => ((tries += 1) < 3 ? unreachable() : Promise.resolve('stored'));
  expect([await retryWhileUnreachable(work, running), tries]).toEqual(['stored', 3]);
});

it('repeats no other error, and nothing once it should stop', async () => {
  let tries = 0;
  const fail = () => {
    tries += 1;
    return Promise.reject(new Error('duplicate key'));
  };
  await expect(retryWhileUnreachable(fail, running)).rejects.toThrow('duplicate key');
  expect(tries).toBe(1);
  await expect(retryWhileUnreachable(unreachable, AbortSignal.abort())).rejects.toThrow('Connection terminated');
});
