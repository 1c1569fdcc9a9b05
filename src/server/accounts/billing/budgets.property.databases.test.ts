import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BUDGET_INTERVALS, type BudgetScope, parseBudgetScope } from '#contract/money/budget-scope.ts';
import { formatUsd } from '#contract/money/money.ts';
import { budgets, tags } from '#server/platform/db/schema/billing-schema.ts';
import { randomRuns } from '#server/app/testing/test-tiers.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import type { EntryDraft } from './ledger/append-entries.ts';
import { readBudgetUsage } from './budget-usage.ts';
import { setBudget } from './budgets.ts';
import {
  GENERATIONS,
  type LedgerSide,
  NOW,
  TAG_SETS,
  append,
  draftsOf,
  keepBills,
  openLedgerSide,
} from './testing/ledger-side.ts';

/** Per database. */
const SEQUENCES = Math.ceil(randomRuns('LEDGER_SEQUENCES', { core: 60, more: 200 }) / 20);
const CLOCK = { now: () => NOW };

/** By name, because the key exists only in the sequence. */
const SCOPES = ['organization', 'key', 'model:imgmodel-a-2', 'model:imgmodel-b-pro', 'tag:client=acme'] as const;

const sequences = fc.record({
  limits: fc.uniqueArray(
    fc.record({
      scope: fc.constantFrom(...SCOPES),
      interval: fc.constantFrom(...BUDGET_INTERVALS),
      limit: fc.integer({ min: 0, max: 4_000_000 }),
    }),
    { minLength: 1, maxLength: 5, selector: ({ scope, interval }) => `${scope} ${interval}` },
  ),
  amounts: fc.array(fc.integer({ min: 1, max: 1_200_000 }), { minLength: GENERATIONS, maxLength: GENERATIONS }),
  outcomes: fc.array(fc.constantFrom('release', 'settle', 'refund'), {
    minLength: GENERATIONS,
    maxLength: GENERATIONS,
  }),
});

const scopeOf = ({ key_id }: LedgerSide, scope: (typeof SCOPES)[number]): BudgetScope =>
  scope === 'key' ? `key:${key_id}` : scope;

/** Whether the generation of this number counts towards a budget of this scope. */
function countsTowards(pick: number, scope: string): boolean {
  const parsed = parseBudgetScope(scope);
  if (parsed?.type === 'model') return parsed.id === 'imgmodel-a-2';
  if (parsed?.type === 'tag') return TAG_SETS[pick % TAG_SETS.length]?.[parsed.name] === parsed.value;
  return true;
}

/** Reads the budgets, after comparing each with what the generations and entries of its scope add up to. */
async function readWholeBudgets(side: LedgerSide) {
  const { db, organization_id } = side;
  await keepBills(side);
  const rows = await db.select().from(budgets).where(eq(budgets.organization_id, organization_id));
  for (const row of rows) {
    const usage = await db.transaction((tx) => readBudgetUsage(tx, organization_id, row, NOW));
    expect(row).toMatchObject(usage);
    expect(row.spent_micro_usd >= 0n && row.reserved_micro_usd >= 0n).toBe(true);
    const used = row.spent_micro_usd + row.reserved_micro_usd;
    expect(used === 0n || used <= row.limit_micro_usd).toBe(true);
  }
  return rows;
}

const leftOf = (row: typeof budgets.$inferSelect): bigint =>
  row.limit_micro_usd - row.spent_micro_usd - row.reserved_micro_usd;

describeOnBothDatabases(
  'budgets',
  () => ({}),
  (service) => {
    it(
      `are never exceeded by ${GENERATIONS} concurrent orders, and free again what is released, ${SEQUENCES} times`,
      async () => {
        const { db } = service.get().deps;
        await fc.assert(
          fc.asyncProperty(sequences, async ({ limits, amounts, outcomes }) => {
            const side = await openLedgerSide(db);
            const { organization_id } = side;
            const tag = { organization_id, name: 'client', label: 'Client', required: false, values: null };
            await db.insert(tags).values({ ...tag, created_at: NOW, updated_at: NOW, updated_by: side.key_id });
            const actor = { organization_id, type: 'shell', name: 'x', address: null } as const;
            for (const { scope, interval, limit } of limits) {
              const set = {
                scope: scopeOf(side, scope),
                interval,
                limit_usd: formatUsd(BigInt(limit)),
                warn_at_percent: 80,
              };
              await setBudget({ db, clock: CLOCK }, actor, set);
            }
            await append(side, draftsOf(side, [['TOP_UP', 100_000_000n]]));
            const reserve = (pick: number) =>
              append(side, draftsOf(side, [['RESERVE', -BigInt(amounts[pick] ?? 0), pick]]));
            const codes = await Promise.all(amounts.map((_, pick) => reserve(pick)));
            const afterOrders = await readWholeBudgets(side);
            for (const [pick, code] of codes.entries()) {
              if (code === undefined) continue;
              expect(code).toBe('EM002');
              // Budgets only filled up so far, so what was rejected does not fit now either.
              const amount = BigInt(amounts[pick] ?? 0);
              const limiting = afterOrders.filter(({ scope }) => countsTowards(pick, scope));
              expect(limiting.some((row) => leftOf(row) < amount)).toBe(true);
            }
            const complete = async (pick: number) => {
              const [amount, outcome] = [BigInt(amounts[pick] ?? 0), outcomes[pick]];
              const settle: [EntryDraft['type'], bigint, number] = ['SETTLE', -amount, pick];
              const moves = outcome === 'release' ? [] : [settle];
              await append(side, draftsOf(side, [['RELEASE', amount, pick], ...moves]));
              if (outcome === 'refund') await append(side, draftsOf(side, [['REFUND', amount, pick]]));
            };
            const placed = codes.flatMap((code, pick) => (code === undefined ? [pick] : []));
            await Promise.all(placed.map(complete));
            const afterOutcomes = await readWholeBudgets(side);
            for (const row of afterOutcomes) {
              const settled = placed.filter((pick) => outcomes[pick] === 'settle' && countsTowards(pick, row.scope));
              const spent = settled.reduce((sum, pick) => sum + BigInt(amounts[pick] ?? 0), 0n);
              expect(row).toMatchObject({ reserved_micro_usd: 0n, spent_micro_usd: spent });
            }
            const rejected = codes.findIndex((code) => code !== undefined);
            if (rejected === -1) return;
            const limiting = afterOutcomes.filter(({ scope }) => countsTowards(rejected, scope));
            const fits = limiting.every((row) => leftOf(row) >= BigInt(amounts[rejected] ?? 0));
            expect(await reserve(rejected)).toBe(fits ? undefined : 'EM002');
            await readWholeBudgets(side);
          }),
          { numRuns: SEQUENCES, endOnFailure: true },
        );
      },
      SEQUENCES * 3_000 + 30_000,
    );
  },
);
