import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { guardPglite } from '#server/platform/db/embedded/guard-pglite.ts';
import { type JobQueue, openJobQueue } from './job-queue.ts';

let lite: PGlite;
let queue: JobQueue;
beforeAll(async () => {
  lite = guardPglite(await PGlite.create(), (error) => {
    throw error;
  });
  queue = await openJobQueue({ pglite: lite }, { log: pino({ level: 'silent' }), supervise: true });
});
afterAll(async () => {
  await queue.stop(1_000);
  await lite.close();
});
const database = () => drizzle({ client: lite });

describe('the queue', () => {
  const listen = async (concurrency: number, handle: (id: string) => Promise<void> = async () => undefined) => {
    const handled: string[] = [];
    const stop = await queue.work('generation.run', concurrency, async ({ generation_id }) => {
      handled.push(generation_id);
      await handle(generation_id);
    });
    return { handled, stop };
  };
  const send = (generation_id: string, options?: { key?: string }) =>
    database().transaction((tx) => queue.send(tx, 'generation.run', { generation_id }, options));

  it('sends a job on commit only', async () => {
    const { handled, stop } = await listen(1);
    const rolledBack = database().transaction(async (tx) => {
      await queue.send(tx, 'generation.run', { generation_id: 'rolled back' });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await send('committed');
    await waitFor('the job', async () => handled.length > 0);
    await stop();
    expect(handled).toEqual(['committed']);
  });

  it('keeps one waiting job per key', async () => {
    for (const id of ['a', 'a', 'b', 'a']) await send(id, { key: id });
    const { handled, stop } = await listen(1);
    await waitFor('both jobs', async () => handled.length >= 2);
    await stop();
    expect(handled.sort()).toEqual(['a', 'b']);
  });

  it('retries a handler that threw', async () => {
    let calls = 0;
    const { handled, stop } = await listen(1, async () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
    });
    await send('stubborn');
    await waitFor('the second call', async () => calls === 2);
    await stop();
    expect(handled).toEqual(['stubborn', 'stubborn']);
  });

  it('waits for running handlers on stop and leaves other jobs in the queue', async () => {
    let finish: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const first = await listen(1, () => gate);
    for (const id of ['slow', 'later']) await send(id);
    await waitFor('the first job', async () => first.handled.length === 1);
    let stopped = false;
    const stopping = first.stop().then(() => (stopped = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stopped).toBe(false);
    finish();
    await stopping;
    const second = await listen(1);
    await waitFor('the other job', async () => second.handled.length === 1);
    await second.stop();
    expect([...first.handled, ...second.handled]).toEqual(['slow', 'later']);
  });

  it('deletes finished jobs an hour after their end, looking every minute', async () => {
    const finished = `name = 'generation.run' and state = 'completed'`;
    const countFinished = async (): Promise<unknown> =>
      (await lite.query<{ count: number }>(`select count(*)::int as count from pgboss.job where ${finished}`)).rows[0]
        ?.count;
    const { handled, stop } = await listen(1);
    await send('over');
    await waitFor('the job', async () => handled.length > 0);
    await stop();
    expect(await countFinished()).not.toBe(0);
    await lite.exec(`update pgboss.job set completed_on = completed_on - interval '61 minutes' where ${finished};
      update pgboss.queue set maintain_on = now() - interval '61 seconds'`);
    await waitFor('the next look', async () => (await countFinished()) === 0);
  });

  it('reports whether it is reachable', async () => {
    await expect(queue.check()).resolves.toBeUndefined();
  });
});

describe('the guard', () => {
  const inside = (use: () => Promise<unknown>) => database().transaction(async () => use());

  it('throws if the root connection is used inside a transaction', async () => {
    const message = /root connection inside an open transaction/;
    const cause = (promise: Promise<unknown>) => promise.catch((error: Error) => error.cause ?? error);
    expect(String(await cause(inside(() => database().execute(sql`select 1`))))).toMatch(message);
    expect(String(await cause(inside(() => lite.exec('select 1'))))).toMatch(message);
    expect(String(await cause(inside(() => queue.check())))).toMatch(message);
    expect(String(await cause(inside(() => sendInside())))).toMatch(message);
  });
  const sendInside = () =>
    database().transaction((tx) => queue.send(tx, 'generation.run', { generation_id: 'nested' }));

  it('allows calls that outlive their transaction', async () => {
    let later: Promise<unknown> = Promise.resolve();
    await inside(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 30)).then(() => database().execute(sql`select 1 as one`));
    });
    expect(await later).toMatchObject({ rows: [{ one: 1 }] });
  });

  it('allows savepoints and concurrent transactions', async () => {
    const one = database().transaction((tx) => tx.transaction((nested) => nested.execute(sql`select 1 as one`)));
    const two = database().transaction((tx) => tx.execute(sql`select 2 as two`));
    expect(await Promise.all([one, two])).toMatchObject([{ rows: [{ one: 1 }] }, { rows: [{ two: 2 }] }]);
  });
});
