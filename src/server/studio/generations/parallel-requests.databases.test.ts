import { eq, sql } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import { lockAccount } from '#server/accounts/billing/budgets.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { createScriptedEngine } from './testing/scripted-engine.ts';
import { describeOnBothDatabases } from './testing/shared-service-fixture.ts';
import { waitFor } from './testing/wait-for.ts';
import { createWorkerFixture } from './testing/worker-fixture.ts';

const ORDERS = 25;
const IMAGE = { task: 'image.create', model: 'imgmodel-a-2' } as const;

describeOnBothDatabases(
  'parallel requests of one organization',
  () => ({ engines: [createScriptedEngine()], config: { workerConcurrency: 4 } }),
  (service) => {
    const bench = createWorkerFixture(service);
    afterEach(() => bench.stop());

    it('create, cancel and retry without a failure of the service', async () => {
      const studio = await service.createOrganization('1');
      await bench.start();
      const statuses: Record<string, number> = {};
      const count = (what: string, status: number) => {
        statuses[`${what} ${status}`] = (statuses[`${what} ${status}`] ?? 0) + 1;
      };
      const act = async (name: 'cancel_generation' | 'retry_generation', generation_id: string) =>
        count(name, (await studio.request(name, { params: { generation_id } })).status);
      const order = async (at: number): Promise<void> => {
        const body = { ...IMAGE, input: { prompt: ['a', 'fail', 'hang'][at % 3] ?? '' } };
        const created = await studio.request('create_generation', { body });
        count('create_generation', created.status);
        if (isErrorResponse(created)) return;
        const { id } = created.body;
        await Promise.all(
          Array.from({ length: 6 }, (_, turn) => act(turn % 2 === 0 ? 'cancel_generation' : 'retry_generation', id)),
        );
      };
      await Promise.all(Array.from({ length: ORDERS }, (_, at) => order(at)));
      await bench.stop();
      expect(Object.keys(statuses).filter((name) => / 5\d\d$/.test(name))).toEqual([]);
      expect(statuses['create_generation 201']).toBe(ORDERS);
      expect((await studio.call('get_verification')).body.ok).toBe(true);
    });

    it('wait for the account before they lock their key, two of a key at once', async ({ skip }) => {
      const { db } = service.get().deps;
      const { rows } = (await db.execute(sql`select version() as version`)) as { rows: { version: string }[] };
      // The embedded database has one connection, so nothing waits for a lock.
      if (/emscripten|wasm/i.test(rows[0]?.version ?? '')) return skip();
      const studio = await service.createOrganization('1');
      const [key] = await db.select().from(apiKeys).where(eq(apiKeys.organization_id, studio.organization_id));
      const countWaiting = async () => {
        const query = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert_generation%' and datname = current_database()`;
        return ((await db.execute(query)) as { rows: unknown[] }).rows.length;
      };
      const created = await db.transaction(async (tx) => {
        await lockAccount(tx, studio.organization_id);
        const orders = Array.from({ length: 5 }, () =>
          studio.request('create_generation', { body: { ...IMAGE, input: { prompt: 'a' } } }),
        );
        await waitFor('orders to wait for the account', async () => (await countWaiting()) > 1);
        // The others of this key wait without a connection, which those of other keys need.
        expect(await countWaiting()).toBe(2);
        const lock = db.transaction((other) =>
          other
            .select({ id: apiKeys.id })
            .from(apiKeys)
            .where(eq(apiKeys.id, key?.id ?? ''))
            .for('no key update', { noWait: true }),
        );
        expect(await lock).toEqual([{ id: key?.id }]);
        // A promise that is returned would be awaited before the account is unlocked.
        return { orders };
      });
      expect((await Promise.all(created.orders)).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    });
  },
);
