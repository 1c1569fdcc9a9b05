import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { parseUsd } from '#contract/money.ts';
import { generations } from '../db/schema.ts';
import { workflowItems } from '../db/workflow-schema.ts';
import { sharedService } from '../generations/testing/both-databases.ts';
import { takeBack } from '../generations/lease.ts';
import { type Moment, dying } from './testing/dying.ts';
import { goOn } from './testing/go-on.ts';
import { createQuickEngine } from './testing/quick-engine.ts';
import { priceOfSearch, search } from './testing/search-steps.ts';
import { entriesOf, readRun, save, start } from './testing/workflow-bench.ts';

const service = sharedService(() => ({ engines: [createQuickEngine()] }));

const steps = [
  search('first', [], 5),
  search('each', ['first'], 10, { for_each: '[1..2]' }),
  search('not', ['first'], 10, { when: 'false' }),
  search('last', ['each', 'not'], 20),
];
const MAKES = 4;
const PRICE = priceOfSearch(5) + 2n * priceOfSearch(10) + priceOfSearch(20);

type Studio = Awaited<ReturnType<typeof service.openStudio>>;

async function expectWhole(studio: Studio, run_id: string): Promise<void> {
  const run = await readRun(studio, run_id);
  expect(run.status).toBe('succeeded');
  const { db } = service.get().deps;
  const made = await db.select().from(generations).where(eq(generations.workflow_run_id, run_id));
  const named = await db.select().from(workflowItems).where(eq(workflowItems.run_id, run_id));
  expect(made.map(({ id }) => id).sort()).toEqual(named.map(({ generation_id }) => generation_id).sort());
  expect(made).toHaveLength(MAKES);
  const entries = await entriesOf(studio, run_id);
  expect(entries).toHaveLength(3 * MAKES);
  expect(entries.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n)).toBe(-PRICE);
  expect(parseUsd(run.usage.amount_usd)).toBe(PRICE);
}

describe('a process that dies', () => {
  it.each<Moment>(['within', 'after'])(
    '%s any transaction of a run leaves a run that another brings to its end, with nothing made or paid twice',
    { timeout: 120_000 },
    async (moment) => {
      const studio = await service.openStudio('50');
      const starter_slug = await save(studio, { steps });
      let at = 1;
      for (let died = true; died; at += 1) {
        const { body } = await studio.call('create_workflow_run', { body: { starter_slug, input: {} } });
        const process = dying(service.get().deps, at, moment);
        died = await goOn(process.deps, body.id).then(
          () => false,
          () => true,
        );
        expect(died).toBe(process.count.transactions >= at);
        await takeBack(service.get().deps, true);
        await goOn(service.get().deps, body.id);
        await expectWhole(studio, body.id);
      }
      expect(at).toBeGreaterThan(MAKES * 2);
      expect((await studio.call('get_billing_summary')).body.reserved_usd).toBe('0.00');
    },
  );

  it('is made up for although others move the run on at the same time', async () => {
    const studio = await service.openStudio('50');
    const { id } = await start(studio, { steps });
    for (let round = 0; round < 4; round += 1) {
      await Promise.all([1, 2, 3].map(() => goOn(service.get().deps, id).catch(() => undefined)));
    }
    await expectWhole(studio, id);
  });
});
