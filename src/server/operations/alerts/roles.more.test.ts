import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import type { List } from '#contract/primitives.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { pino } from 'pino';
import { openPostgres } from '#server/platform/db/open-database.ts';
import { waitFor } from '#server/studio/generations/testing/wait-for.ts';
import { prepareServiceProcess } from '#server/app/testing/service-process.ts';
import { sharedPostgres } from '#server/app/testing/shared-postgres.ts';

it('a process with ROLE=api raises no alerts; one with ROLE=worker does', async (context) => {
  const postgres = await sharedPostgres();
  if (!postgres) return context.skip();
  const databaseUrl = await postgres.createDatabase();
  const [api, worker] = [await prepareServiceProcess(), await prepareServiceProcess()];
  const database = await openPostgres(databaseUrl, pino({ level: 'silent' }));
  const listAlerts = async () => (await api.get<List<Alert>>('/v1/alerts')).data;
  try {
    const env = { SECRET_KEY: 's'.repeat(40) };
    await api.start(databaseUrl, { ...env, ROLE: 'api' });
    await api.post('/v1/billing/budgets', { scope: 'organization', limit_usd: '0' });
    const body = JSON.stringify({ alerts: { low_balance_usd: '1000' } });
    const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
    const response = await fetch(api.url('/v1/settings'), { method: 'PUT', headers, body });
    expect(response.status).toBe(200);
    const { rows } = (await database.db.execute(
      sql`select state::text from pgboss.job where name = 'alerts.check'`,
    )) as { rows: { state: string }[] };
    expect(rows).toEqual([{ state: 'created' }]);
    expect(await listAlerts()).toEqual([]);
    await worker.start(databaseUrl, { ...env, ROLE: 'worker' });
    const raised = await waitFor('the alerts', async () => {
      const alerts = await listAlerts();
      return alerts.length > 0 && alerts;
    });
    expect(raised.map(({ kind }) => kind).sort()).toEqual(['budget_exhausted', 'low_balance']);
  } finally {
    await database.close();
    await Promise.all([api.remove(), worker.remove()]);
  }
});
