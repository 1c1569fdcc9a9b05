import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';
import { createTestService, type TestService } from '#server/app/testing/test-service.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { openPool } from './postgres-pool.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { inSnapshot } from '#server/platform/db/rows/read-tables.ts';

const postgres = await sharedPostgres();
const log = pino({ level: 'silent' });

/** Of a database, which prevail over those of its server. */
const DEFAULTS = [
  `datestyle = 'German, DMY'`,
  `intervalstyle = 'iso_8601'`,
  `timezone = 'Asia/Kolkata'`,
  `default_transaction_isolation = 'serializable'`,
  `default_transaction_deferrable = on`,
  `search_path = hostile, public`,
  `bytea_output = 'escape'`,
  `extra_float_digits = -15`,
  `standard_conforming_strings = off`,
  `transform_null_equals = on`,
  `statement_timeout = '20s'`,
  `lock_timeout = '10s'`,
  `idle_in_transaction_session_timeout = '10s'`,
  `idle_session_timeout = '10s'`,
];

describe.skipIf(!postgres)('a database with unusual defaults (needs PostgreSQL)', () => {
  let service: TestService;
  let url: string;
  beforeAll(async () => {
    url = (await postgres?.createEmptyDatabase()) ?? '';
    const client = new Client({ connectionString: url });
    await client.connect();
    const name = new URL(url).pathname.slice(1);
    await client.query('create schema hostile; create table hostile.organizations (id integer)');
    for (const setting of DEFAULTS) await client.query(`alter database ${name} set ${setting}`);
    await client.end();
    service = await createTestService({ databaseUrl: url, engines: [createScriptedEngine()] });
  });
  afterAll(() => service.close());

  it('is migrated, has its days in UTC and its balance exact', async () => {
    const credit = { amount_usd: '12.345678', description: 'more' };
    expect(await service.call('create_credit', { body: credit })).toMatchObject({ status: 201 });
    const body = { task: 'image.create', model: 'imgmodel-a-2', input: { prompt: 'x' } };
    const created = await service.call('create_generation', { body });
    expect(created.status).toBe(201);
    expect(created.body.created_at).toBe(service.deps.clock.now().toISOString());
    await runGeneration(service.deps, created.body.id, { shutdown: new AbortController().signal });
    const { body: spending } = await service.call('get_spending', { query: { by: 'model' } });
    expect(spending.data).toMatchObject([{ date: created.body.created_at.slice(0, 10), count: 1 }]);
    const { body: ledger } = await service.call('list_ledger');
    expect(ledger.data.map(({ type }) => type).toSorted()).toEqual([
      'ADMIN_CREDIT',
      'ADMIN_CREDIT',
      'RELEASE',
      'RESERVE',
      'SETTLE',
    ]);
    expect(ledger.data.every(({ created_at }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(created_at))).toBe(true);
  });

  it('has the same session in each connection', async () => {
    const settings = sql`select current_setting('datestyle') as style, current_setting('timezone') as zone,
      current_setting('transaction_isolation') as isolation, current_setting('search_path') as path,
      current_setting('statement_timeout') as timeout`;
    const expected = { style: 'ISO, MDY', zone: 'UTC', isolation: 'read committed', path: 'public', timeout: '0' };
    const reads = await Promise.all([1, 2, 3].map(() => readRows(service.deps.db, settings)));
    expect(reads.flat()).toEqual([expected, expected, expected]);
    expect(await service.deps.db.transaction((tx) => readRows(tx, settings))).toEqual([expected]);
    const second = await openPostgres(url, log);
    expect(await readRows(second.db, settings)).toEqual([expected]);
    await second.close();
  });

  it('has it in each transaction too where a pooler is in between, and names no statement', async () => {
    const pool = openPool({ endpoint: { url, isPooled: true }, application_name: 'test', max: 1, log });
    const pooled = drizzle({ client: pool });
    const read = sql`select current_setting('datestyle') as style, current_setting('transaction_isolation') as isolation,
      current_setting('search_path') as path, now()::timestamptz(0) as at`;
    const expected = { style: 'ISO, MDY', isolation: 'read committed', path: 'public' };
    expect(await readRows(pooled, read)).toEqual([expect.objectContaining(expected)]);
    expect(await pooled.transaction((tx) => readRows(tx, read))).toEqual([expect.objectContaining(expected)]);
    const snapshot = await inSnapshot(pooled, (tx) => readRows(tx, read));
    expect(snapshot).toMatchObject([{ style: 'ISO, MDY', isolation: 'repeatable read' }]);
    const add = (id: number) => pool.query('insert into numbers values ($1)', [id]);
    await pooled.transaction((tx) => tx.execute(sql`create table numbers (id integer primary key)`));
    for (const id of [1, 2, 3]) await add(id);
    await expect(add(3)).rejects.toMatchObject({ code: '23505' });
    expect(await readRows(pooled, sql`select count(*)::integer as count from numbers`)).toEqual([{ count: 3 }]);
    expect(await readRows(pooled, sql`select name from pg_prepared_statements`)).toEqual([]);
    expect((await pool.query('show datestyle')).rows).toEqual([{ DateStyle: 'German, DMY' }]);
    await pool.end();
  });
});
