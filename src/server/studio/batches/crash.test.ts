import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { generations } from '#server/platform/db/schema/schema.ts';
import { type TestOrganization, useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { reclaimExpiredLeases } from '#server/studio/generations/generation-lease.ts';
import { type CrashMoment, createCrashingDeps } from '#server/studio/workflows/testing/crash-points.ts';
import { createQuickEngine } from '#server/studio/workflows/testing/quick-engine.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import { advanceBatch } from './advance-batch.ts';
import { advanceAll, listActive, listOrders, neverAborted, readBatch, searchOrder } from './testing/batch-fixture.ts';

const service = useSharedService(() => ({ engines: [createQuickEngine()] }));
const ORDERS = [searchOrder('a'), searchOrder(' '), searchOrder('fail')];
const BODY = { mode: 'list', orders: ORDERS };

/** Each valid order has one generation, which was paid once. */
async function expectWhole(studio: TestOrganization, batch_id: string): Promise<void> {
  const batch = await readBatch(studio, batch_id);
  expect(batch).toMatchObject({ status: 'completed', spent_usd: '0.07', reserved_usd: '0.00' });
  expect(batch.counts).toMatchObject({ total: 3, succeeded: 1, failed: 2 });
  const { db } = service.get().deps;
  const created = await db.select().from(generations).where(eq(generations.batch_id, batch_id));
  const named = (await listOrders(studio, batch_id)).flatMap(({ generation }) => generation?.id ?? []);
  expect(created.map(({ id }) => id).sort()).toEqual(named.sort());
  expect(created).toHaveLength(2);
}

describe('a crashing process', () => {
  it.each<CrashMoment>(['within', 'after'])(
    '%s any transaction leaves a list that another process completes, with nothing created or paid twice',
    async (moment) => {
      const studio = await service.createOrganization('50');
      let at = 1;
      for (let died = true; died; at += 1) {
        const { id } = (await studio.call('create_batch', { body: BODY })).body;
        const process = createCrashingDeps(service.get().deps, at, moment);
        died = await advanceAll(process.deps, id).then(
          () => false,
          () => true,
        );
        expect(died).toBe(process.count.transactions >= at);
        await reclaimExpiredLeases(service.get().deps, true);
        await advanceAll(service.get().deps, id);
        await expectWhole(studio, id);
      }
      expect(at).toBeGreaterThan(ORDERS.length);
      expect((await studio.call('get_billing_summary')).body.reserved_usd).toBe('0.00');
    },
  );

  it('loses nothing while other processes advance the list at the same time', async () => {
    const studio = await service.createOrganization('50');
    const { id } = (await studio.call('create_batch', { body: BODY })).body;
    const { deps } = service.get();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([1, 2, 3].map(() => advanceBatch(deps, id, neverAborted).catch(() => undefined)));
      const active = await listActive(deps.db, id);
      await Promise.all([...active, ...active].map((each) => runGeneration(deps, each, { shutdown: neverAborted })));
    }
    await advanceAll(deps, id);
    await expectWhole(studio, id);
  });
});
