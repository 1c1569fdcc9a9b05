import { sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import {
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createTestClock } from './testing/test-clock.ts';
import { runCleanup } from './worker.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROWS_AN_HOUR = 100;
/** More than one batch of each cleanup. */
const HOURS = 24;

/** Rows of the last day, one of each table for each moment; `at` is when it was created. */
const RECORDS = {
  idempotency_keys: `(organization_id, scope, key, fingerprint, status, body, created_at)
    select $organization, '/v1/generations', s::text, 'x', 201, '{}', at`,
  sessions: `(secret_sha256, id, key_id, method, rotated_at, last_used_at, created_at, expires_at)
    select 'session ' || s, 'ses_' || s, $key, 'link', at, at, at, at + interval '30 days'`,
  sign_in_tokens: `(token_sha256, key_id, created_at, expires_at) select 'token ' || s, $key, at, at + interval '15 minutes'`,
  sign_in_challenges: `(id_sha256, purpose, value, expires_at) select 'challenge ' || s, 'oidc', '', at + interval '10 minutes'`,
  media_archives: `(id, organization_id, filename, media_ids, created_at, expires_at)
    select 'arc_' || s, $organization, 'x.zip', '[]', at, at + interval '1 hour'`,
  webhook_events: `(id, organization_id, type, test, object, created_at)
    select 'evt_' || s, $organization, 'generation.succeeded', false, '{}', at`,
  webhook_deliveries: `(id, endpoint_id, event_id, status, created_at) select 'dlv_' || s, 'endpoint', 'evt_' || s, 'delivered', at`,
  webhook_attempts: `(delivery_id, number, endpoint_id, at, latency_ms) select 'dlv_' || s, 1, 'endpoint', at, 5`,
  order_callbacks: `(generation_id, organization_id, format, url, events, created_at)
    select 'gen_' || s, $organization, 'fal', 'https://example.com/', '[]', at`,
  callback_deliveries: `(generation_id, event, organization_id, key_id, receiver, next_attempt_at)
    select 'gen_' || s, 'completed', $organization, $key, 'example.com', at`,
} as const;
type Table = keyof typeof RECORDS;

describeOnBothDatabases(
  'records of a day',
  () => ({ clock: createTestClock(new Date('2026-05-01T00:00:00.000Z')) }),
  (service) => {
    let studio: TestOrganization;
    const count = async (): Promise<Record<Table, number>> => {
      const tables = Object.keys(RECORDS).map((table) => sql.raw(`(select count(*)::int from ${table}) as ${table}`));
      const [row] = await readRows<Record<Table, number>>(
        service.get().deps.db,
        sql`select ${sql.join(tables, sql`, `)}`,
      );
      if (!row) throw new Error('No tables were counted.');
      return row;
    };
    const cleanUpAfter = async (passedMs: number) => {
      const { deps } = service.get();
      deps.clock.advance(passedMs);
      await runCleanup(deps, new Date(0));
      return count();
    };

    beforeAll(async () => {
      studio = await service.createOrganization('1');
      const { db, clock } = service.get().deps;
      const { organization_id } = studio;
      await db.execute(sql`insert into webhook_endpoints (id, organization_id, url, events, secret_sealed, created_at)
        values ('endpoint', ${organization_id}, 'https://example.com/', '[]', '', now())`);
      const [key] = await readRows<{ id: string }>(
        db,
        sql`select id from api_keys where organization_id = ${organization_id} limit 1`,
      );
      const until = clock.now().toISOString();
      for (const [table, insert] of Object.entries(RECORDS)) {
        const text = insert.replaceAll('$organization', `'${organization_id}'`).replaceAll('$key', `'${key?.id}'`);
        await db.execute(
          sql.raw(`insert into ${table} ${text} from (select s, '${until}'::timestamptz - (s - 0.5) * interval '1 hour' / ${ROWS_AN_HOUR} as at
            from generate_series(1, ${HOURS * ROWS_AN_HOUR}) s) as moments`),
        );
      }
    });

    it('leave as they end', async () => {
      const all = HOURS * ROWS_AN_HOUR;
      expect(await count()).toMatchObject({
        idempotency_keys: all,
        webhook_attempts: all,
        sessions: expect.any(Number) as number,
      });
      // What lasts minutes or an hour is gone at once, but for what is still valid.
      const now = await cleanUpAfter(0);
      expect(now).toMatchObject({ sign_in_tokens: 25, sign_in_challenges: 17, media_archives: ROWS_AN_HOUR });
      expect(now).toMatchObject({ idempotency_keys: all, webhook_events: all });

      const halfADay = await cleanUpAfter(12 * HOUR_MS);
      expect(halfADay).toMatchObject({ idempotency_keys: all / 2, sign_in_tokens: 0, media_archives: 0 });

      const month = await cleanUpAfter(29 * DAY_MS);
      expect(month).toMatchObject({ idempotency_keys: 0, webhook_events: all / 2 });
      expect(month).toMatchObject({ webhook_deliveries: all / 2, webhook_attempts: all / 2 });
      expect(month.sessions).toBeLessThanOrEqual(all / 2 + 1);

      const end = await cleanUpAfter(DAY_MS);
      expect(end).toEqual(Object.fromEntries(Object.keys(RECORDS).map((table) => [table, 0])));
    });
  },
);
