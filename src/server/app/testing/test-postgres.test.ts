import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { startPostgres, type TestPostgres } from './test-postgres.ts';
import { createTestService } from './test-service.ts';

let postgres: TestPostgres | null = null;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

describe('PostgreSQL, if installed', () => {
  it('is migrated once by four processes that start at the same time', async (context) => {
    if (!postgres) return context.skip();
    const url = await postgres.createDatabase();
    const log = pino({ level: 'silent' });
    const opened = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url, log)));
    const [first] = opened;
    const files = await readdir(join(import.meta.dirname, '../../platform/db/migrations'));
    const migrations = files.filter((name) => name.endsWith('.sql'));
    const applied = await first?.db.execute(sql`select count(*)::int as count from drizzle.__drizzle_migrations`);
    const journal = await first?.db.execute(sql`select to_regclass('ledger_entries') is not null as there`);
    await Promise.all(opened.map((database) => database.close()));
    expect(applied).toMatchObject({ rows: [{ count: migrations.length }] });
    expect(journal).toMatchObject({ rows: [{ there: true }] });
  });

  it('serves the same requests', async (context) => {
    if (!postgres) return context.skip();
    const service = await createTestService({ databaseUrl: await postgres.createDatabase() });
    expect((await service.call('get_billing_summary')).body.available_usd).toBe('100.00');
    expect((await service.call('list_api_keys')).body.data).toHaveLength(3);
    await service.close();
  });
});
