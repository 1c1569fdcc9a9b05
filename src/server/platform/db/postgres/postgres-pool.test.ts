import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { type TcpProxy, startTcpProxy } from '#server/app/testing/tcp-proxy.ts';
import { isDatabaseUnreachable } from './is-unreachable.ts';
import { statementTimeoutMs, withLongStatements } from './long-statements.ts';
import { openPool } from './postgres-pool.ts';

const postgres = await sharedPostgres();

describe.skipIf(!postgres)('a pool with one connection (needs PostgreSQL)', () => {
  let proxy: TcpProxy;
  let pool: Pool;
  let timeoutMs = 240_000;
  beforeAll(async () => {
    if (!postgres) return;
    const url = new URL(await postgres.createDatabase());
    proxy = await startTcpProxy(Number(url.port));
    url.port = String(proxy.port);
    const log = pino({ level: 'silent' });
    const name = 'emulsion-pool-test';
    pool = openPool({
      endpoint: { url: url.href, isPooled: false },
      application_name: name,
      max: 1,
      log,
      timeoutMs: () => timeoutMs,
    });
  });
  afterAll(async () => {
    await pool.end();
    await proxy.close();
  });

  const readPid = async (): Promise<unknown> => (await pool.query('select pg_backend_pid() as pid')).rows[0];
  const rejection = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  it('keeps it after a statement, and replaces it after one without a response in time', async () => {
    const pid = await readPid();
    expect(await readPid()).toEqual(pid);
    timeoutMs = 200;
    expect(isDatabaseUnreachable(await rejection(pool.query('select pg_sleep(60)')))).toBe(true);
    timeoutMs = 240_000;
    expect(await readPid()).not.toEqual(pid);
  });

  it('prepares a statement with a name once, and no other', async () => {
    await pool.query('create table numbers (number integer)');
    const write = { name: 'add_number', text: 'insert into numbers values ($1)' };
    const list = { text: 'select number from numbers where number > $1' };
    for (const number of [1, 2, 3]) {
      await pool.query(write, [number]);
      await pool.query(list, [number]);
    }
    const { rows } = await pool.query('select name, statement from pg_prepared_statements');
    expect(rows).toEqual([{ name: write.name, statement: write.text }]);
    expect((await pool.query(list, [0])).rows).toHaveLength(3);
  });

  it('replaces it when a transaction can’t begin on it', async () => {
    const pid = await readPid();
    proxy.freeze();
    timeoutMs = 200;
    const begun = drizzle({ client: pool }).transaction(async () => 'begun');
    expect(isDatabaseUnreachable(await rejection(begun))).toBe(true);
    timeoutMs = 240_000;
    expect(await readPid()).not.toEqual(pid);
  });

  it('keeps it after a statement that the server rejects', async () => {
    const pid = await readPid();
    expect(await rejection(pool.query('select 1 / $1::integer', [0]))).toMatchObject({ code: '22012' });
    expect(await readPid()).toEqual(pid);
  });

  it('does not pass on a transaction that a failed script left open', async () => {
    expect(await rejection(pool.query('begin; select 1 / 0; commit'))).toMatchObject({ code: '22012' });
    expect(await readPid()).toMatchObject({ pid: expect.any(Number) });
  });
});

it('long statements have more time, also after waiting', async () => {
  const usualMs = statementTimeoutMs();
  const longMs = await withLongStatements(async () => {
    await Promise.resolve();
    return statementTimeoutMs();
  });
  expect([usualMs < 10_000, longMs >= 600_000, statementTimeoutMs()]).toEqual([true, true, usualMs]);
});
