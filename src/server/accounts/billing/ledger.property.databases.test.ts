import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { accounts } from '#server/platform/db/schema/billing-schema.ts';
import { randomRuns } from '#server/app/testing/test-tiers.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import type { EntryDraft } from './ledger/append-entries.ts';
import { LEDGER_OPERATIONS, LedgerModel, type LedgerOperation } from './testing/ledger-model.ts';
import {
  GENERATIONS,
  type LedgerSide,
  NOW,
  append,
  draftsOf,
  keepBills,
  openLedgerSide,
} from './testing/ledger-side.ts';
import { verifyLedger } from './ledger/verify-ledger.ts';

/** Per database. ledger-conservation covers transfers over HTTP. */
const SEQUENCES = randomRuns('LEDGER_SEQUENCES', { core: 40, more: 200 });
const MODELLED = Math.ceil(SEQUENCES * 0.6);
const CONCURRENT = SEQUENCES - MODELLED;
const OPERATIONS = 50;
/** Half of all operations are on these, in small and equal amounts, so that refunds and rejections are frequent. */
const FOCUSED = 2;
/** Unique index, check and trigger: whichever rejects first. */
const REFUSALS = ['23505', '23514', 'EM001', 'EM003', 'EM004'];
const operations = fc.array(
  fc.record<LedgerOperation>({
    act: fc.constantFrom(...LEDGER_OPERATIONS),
    pick: fc.oneof(fc.nat({ max: GENERATIONS - 1 }), fc.nat({ max: FOCUSED - 1 })),
    amount: fc.oneof(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.integer({ min: 1, max: 200_000 }),
      fc.constantFrom(1, 500_000),
    ),
  }),
  { minLength: OPERATIONS, maxLength: OPERATIONS },
);

async function expectWhole(side: LedgerSide, expected: Partial<LedgerModel>): Promise<void> {
  const { db, organization_id } = side;
  const [account] = await db.select().from(accounts).where(eq(accounts.organization_id, organization_id));
  const { available_micro_usd = 0n, reserved_micro_usd = 0n, spent_micro_usd = 0n, last_seq = 0n } = account ?? {};
  expect({
    available: available_micro_usd,
    reserved: reserved_micro_usd,
    spent: spent_micro_usd,
    credited: available_micro_usd + reserved_micro_usd + spent_micro_usd,
    count: Number(last_seq),
  }).toMatchObject(expected);
  await keepBills(side);
  const { problem } = await verifyLedger({ db, clock: { now: () => NOW } }, organization_id);
  expect(problem).toBeNull();
}

describeOnBothDatabases(
  'The ledger',
  () => ({}),
  (service) => {
    it(
      `accepts legal operations and rejects all others, in ${MODELLED} sequences of ${OPERATIONS} operations`,
      async () => {
        const { db } = service.get().deps;
        await fc.assert(
          fc.asyncProperty(operations, async (sequence) => {
            const side = await openLedgerSide(db);
            const model = new LedgerModel();
            let batch: EntryDraft[] = [];
            const flush = async () => {
              if (batch.length > 0) expect(await append(side, batch)).toBeUndefined();
              batch = [];
            };
            for (const operation of sequence) {
              const { moves, refused } = model.predict(operation);
              const drafts = draftsOf(side, moves);
              if (refused === undefined) {
                model.apply(operation, moves);
                batch.push(...drafts);
              } else if (operation.pick < FOCUSED) {
                // A rejection aborts its transaction and is slow, so some generations stand for all.
                await flush();
                const code = await append(side, drafts);
                if (refused === 'twice') expect(REFUSALS).toContain(code);
                else expect(code).toBe(refused);
              }
            }
            await flush();
            const { available, reserved, spent, credited, count } = model;
            expect(available >= 0n && available + reserved + spent === credited).toBe(true);
            await expectWhole(side, { available, reserved, spent, credited, count });
          }),
          { numRuns: MODELLED, endOnFailure: true },
        );
      },
      MODELLED * 500 + 30_000,
    );

    it(
      `keeps one outcome per generation with ${OPERATIONS} concurrent operations, ${CONCURRENT} times`,
      async () => {
        const { db } = service.get().deps;
        await fc.assert(
          fc.asyncProperty(operations, async (sequence) => {
            const side = await openLedgerSide(db);
            const done: EntryDraft[] = [];
            const act = async (drafts: readonly EntryDraft[]) => {
              const code = await append(side, drafts);
              if (code === undefined) done.push(...drafts);
              else expect(REFUSALS).toContain(code);
            };
            const opening = sequence.slice(0, 5).map(({ amount }) => draftsOf(side, [['TOP_UP', BigInt(amount)]]));
            const orders = sequence
              .slice(0, 20)
              .map(({ pick, amount }) => draftsOf(side, [['RESERVE', -BigInt(amount), pick]]));
            await Promise.all([...opening, ...orders].map(act));
            const reserved = new Map(done.map((draft) => [draft.generation_id, draft]));
            const outcomes = sequence.slice(20).map(({ act: kind, pick, amount }) => {
              const held = -(reserved.get(side.ids[pick])?.amount_micro_usd ?? -1n);
              const back: [EntryDraft['type'], bigint, number] = ['RELEASE', held, pick];
              const charge = BigInt(amount) < held ? BigInt(amount) : held;
              if (kind === 'refund') return draftsOf(side, [['REFUND', BigInt(amount), pick]]);
              if (kind === 'release' || kind === 'credit') return draftsOf(side, [back]);
              return draftsOf(side, [back, ['SETTLE', -charge, pick]]);
            });
            await Promise.all(outcomes.map(act));
            const sum = (...types: EntryDraft['type'][]) =>
              done.reduce((total, draft) => (types.includes(draft.type) ? total + draft.amount_micro_usd : total), 0n);
            for (const type of ['RESERVE', 'RELEASE', 'SETTLE'] as const) {
              const ids = done.filter((draft) => draft.type === type).map((draft) => draft.generation_id);
              expect(new Set(ids).size).toBe(ids.length);
            }
            await expectWhole(side, {
              reserved: -sum('RESERVE', 'RELEASE'),
              spent: -sum('SETTLE', 'REFUND'),
              credited: sum('TOP_UP'),
              count: done.length,
            });
          }),
          { numRuns: CONCURRENT, endOnFailure: true },
        );
      },
      CONCURRENT * 500 + 30_000,
    );
  },
);
