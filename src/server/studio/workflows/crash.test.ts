import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { parseUsd } from '#contract/money/money.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { workflowItems } from '#server/platform/db/schema/workflow-schema.ts';
import { useSharedService } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { reclaimExpiredLeases } from '#server/studio/generations/generation-lease.ts';
import { type CrashMoment, createCrashingDeps } from './testing/crash-points.ts';
import { advanceAll } from './testing/advance-all.ts';
import { createQuickEngine } from './testing/quick-engine.ts';
import { searchPrice, searchStep } from './testing/search-steps.ts';
import { listRunEntries, getRun, saveStarter, startTestRun } from './testing/workflow-fixture.ts';

const service = useSharedService(() => ({ engines: [createQuickEngine()] }));

const steps = [
  searchStep('first', [], 5),
  searchStep('each', ['first'], 10, { for_each: '[1..2]' }),
  searchStep('not', ['first'], 10, { when: 'false' }),
  searchStep('last', ['each', 'not'], 20),
];
const MAKES = 4;
const PRICE = searchPrice(5) + 2n * searchPrice(10) + searchPrice(20);

type Studio = Awaited<ReturnType<typeof service.createOrganization>>;

async function expectWhole(organization: Studio, run_id: string): Promise<void> {
  const run = await getRun(organization, run_id);
  expect(run.status).toBe('succeeded');
  const { db } = service.get().deps;
  const created = await db.select().from(generations).where(eq(generations.workflow_run_id, run_id));
  const named = await db.select().from(workflowItems).where(eq(workflowItems.run_id, run_id));
  expect(created.map(({ id }) => id).sort()).toEqual(named.map(({ generation_id }) => generation_id).sort());
  expect(created).toHaveLength(MAKES);
  const entries = await listRunEntries(organization, run_id);
  expect(entries).toHaveLength(3 * MAKES);
  expect(entries.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n)).toBe(-PRICE);
  expect(parseUsd(run.usage.amount_usd)).toBe(PRICE);
}

describe('a crashing process', () => {
  it.each<CrashMoment>(['within', 'after'])(
    '%s any transaction leaves a run that another process completes, with nothing created or paid twice',
    async (moment) => {
      const organization = await service.createOrganization('50');
      const starter_slug = await saveStarter(organization, { steps });
      let at = 1;
      for (let died = true; died; at += 1) {
        const { body } = await organization.call('create_workflow_run', { body: { starter_slug, input: {} } });
        const process = createCrashingDeps(service.get().deps, at, moment);
        died = await advanceAll(process.deps, body.id).then(
          () => false,
          () => true,
        );
        expect(died).toBe(process.count.transactions >= at);
        await reclaimExpiredLeases(service.get().deps, true);
        await advanceAll(service.get().deps, body.id);
        await expectWhole(organization, body.id);
      }
      expect(at).toBeGreaterThan(MAKES * 2);
      expect((await organization.call('get_billing_summary')).body.reserved_usd).toBe('0.00');
    },
  );

  it('loses nothing while other processes advance the run at the same time', async () => {
    const organization = await service.createOrganization('50');
    const { id } = await startTestRun(organization, { steps });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([1, 2, 3].map(() => advanceAll(service.get().deps, id).catch(() => undefined)));
    }
    await expectWhole(organization, id);
  });
});
