import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUsd } from '#contract/money/money.ts';
import { accounts, ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration } from '#server/studio/generations/generation-lease.ts';
import { settleFailed, settleSucceeded } from '#server/studio/generations/settle-generation.ts';
import {
  type SharedService,
  type TestOrganization,
  describeOnBothDatabases,
} from '#server/studio/generations/testing/shared-service-fixture.ts';
import { createScriptedEngine } from '#server/studio/generations/testing/scripted-engine.ts';
import { randomRuns } from '#server/app/testing/test-tiers.ts';
import { isErrorResponse } from '#server/app/testing/test-client.ts';
import {
  ACCOUNT_ACTIONS,
  SAMPLE_FAILURE,
  AccountModel,
  PRICED_REQUESTS,
  type AccountStep,
} from './testing/ledger-fixture.ts';

/** `CONSERVATION_RUNS=1000` for the full proof. */
const RUNS = randomRuns('CONSERVATION_RUNS', { core: 2, more: 6 });
const LENGTH = 50;

const steps = fc.array(
  fc.record<AccountStep>({
    act: fc.constantFrom(
      'create',
      'create',
      'create',
      ...(Object.keys(ACCOUNT_ACTIONS) as (keyof typeof ACCOUNT_ACTIONS)[]),
    ),
    pick: fc.nat({ max: 1_000_000 }),
  }),
  { minLength: LENGTH, maxLength: LENGTH },
);

async function expectConserved(service: SharedService, studio: TestOrganization, model: AccountModel): Promise<void> {
  const { db } = service.get().deps;
  const [account] = await db.select().from(accounts).where(eq(accounts.organization_id, studio.organization_id));
  expect(account).toMatchObject({
    available_micro_usd: model.available,
    reserved_micro_usd: model.reserved,
    spent_micro_usd: model.spent,
  });
  expect(model.available + model.reserved + model.spent).toBe(model.credited);
}

/** The entries alone add up to the same amounts. */
async function expectLedger(
  service: SharedService,
  studio: TestOrganization,
  model: AccountModel,
  openingEntries: number,
): Promise<void> {
  const entries = await service
    .get()
    .deps.db.select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.organization_id, studio.organization_id))
    .orderBy(asc(ledgerEntries.seq));
  expect(entries).toHaveLength(openingEntries + model.entries);
  let available = 0n;
  let reserved = 0n;
  entries.forEach((entry, at) => {
    available += entry.amount_micro_usd;
    if (entry.type === 'RESERVE' || entry.type === 'RELEASE') reserved -= entry.amount_micro_usd;
    expect(entry.seq).toBe(BigInt(at + 1));
    expect(entry.available_after_micro_usd).toBe(available);
    expect(entry.balance_after_micro_usd).toBe(available + reserved);
    expect(available >= 0n && reserved >= 0n).toBe(true);
  });
  expect([available, reserved]).toEqual([model.available, model.reserved]);
}

const OPENING_ENTRIES = 2;

describeOnBothDatabases(
  'Money',
  () => ({ engines: [createScriptedEngine()] }),
  (service) => {
    const begin = async (opening: bigint) => {
      const studio = await service.createOrganization(formatUsd(opening));
      const model = new AccountModel();
      model.available = model.credited = opening;
      return { service, studio, model };
    };

    it(
      `is conserved in ${RUNS} sequences of ${LENGTH} operations`,
      async () => {
        await fc.assert(
          fc.asyncProperty(fc.bigInt(0n, 3_000_000n), steps, async (opening, sequence) => {
            const world = await begin(opening);
            for (const { act, pick } of sequence) {
              await ACCOUNT_ACTIONS[act](world, pick);
              await expectConserved(service, world.studio, world.model);
            }
            await expectLedger(service, world.studio, world.model, OPENING_ENTRIES);
          }),
          { numRuns: RUNS, endOnFailure: true },
        );
      },
      RUNS * 5_000 + 30_000,
    );

    it('is conserved under concurrent requests', async () => {
      const world = await begin(2_000_000n);
      const { studio } = world;
      const { deps } = service.get();
      const act = async (at: number): Promise<void> => {
        const order = PRICED_REQUESTS[at % PRICED_REQUESTS.length];
        if (!order) return;
        const created = await studio.request('create_generation', { body: order.body });
        if (isErrorResponse(created)) return expect(created.status).toBe(402);
        const params = { generation_id: created.body.id };
        const lease = at % 3 === 0 ? null : await claimGeneration(deps, created.body.id);
        await Promise.all([
          lease &&
            (at % 2
              ? settleFailed(deps, lease, SAMPLE_FAILURE)
              : settleSucceeded(deps, lease, { outputs: [], data: null, lengths: {} })),
          at % 4 === 0 ? studio.call('cancel_generation', { params }) : undefined,
          studio.request('retry_generation', { params }),
        ]);
      };
      await Promise.all(Array.from({ length: 120 }, (_, at) => act(at)));
      const rows = await deps.db
        .select()
        .from(generations)
        .where(eq(generations.organization_id, studio.organization_id));
      const { model } = world;
      for (const row of rows) {
        model.addGeneration(row.id, row.amount_micro_usd);
        const one = model.generations.at(-1);
        if (one && (row.status === 'succeeded' || row.status === 'failed' || row.status === 'canceled'))
          model.complete(one, row.status);
      }
      await expectConserved(service, studio, model);
      await expectLedger(service, studio, model, OPENING_ENTRIES);
    });
  },
);
