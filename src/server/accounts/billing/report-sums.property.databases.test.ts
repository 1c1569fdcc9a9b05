import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LEDGER_TYPES } from '#contract/money/ledger.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { randomRuns } from '#server/app/testing/test-tiers.ts';
import { describeOnBothDatabases } from '#server/studio/generations/testing/shared-service-fixture.ts';
import { appendEntries, type LedgerRow } from './ledger/append-entries.ts';
import { type ReportRow, sumBy, type SumDimension } from './reports/report.ts';
import { LEDGER_OPERATIONS, LedgerModel } from './testing/ledger-model.ts';
import { draftsOf, GENERATIONS, type LedgerSide, NOW, openLedgerSide } from './testing/ledger-side.ts';

const HOUR_MS = 3_600_000;
const HISTORIES = randomRuns('LEDGER_HISTORIES', { core: 4, more: 12 });
const QUESTIONS = 30;
const WORK = [
  { task: 'image.create', model: 'imgmodel-a-2', key_id: 'key_one' },
  { task: 'image.create', model: 'imgmodel-b-pro', key_id: 'key_two' },
  { task: 'social.search', model: null, key_id: 'key_one' },
  { task: 'video.trim', model: null, key_id: 'key_three' },
  { task: 'image.edit', model: 'imgmodel-a-2', key_id: 'key_two' },
] as const;

/** Often midnight, and just before or after it. */
const time = fc
  .tuple(fc.integer({ min: -24, max: 480 }), fc.constantFrom(0, 0, 0, -1, 1, 1_234_567), fc.constantFrom(1, 24))
  .map(([hours, ms, step]) => new Date(NOW.getTime() + Math.floor(hours / step) * step * HOUR_MS + ms));
const history = fc.array(
  fc.record({
    act: fc.constantFrom(...LEDGER_OPERATIONS),
    pick: fc.nat({ max: GENERATIONS - 1 }),
    amount: fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), fc.constant(500_000)),
    gapMs: fc.oneof(fc.integer({ min: 0, max: 20 * HOUR_MS }), fc.constantFrom(0, 24 * HOUR_MS)),
  }),
  { minLength: 60, maxLength: 90 },
);
const optional = <T>(value: fc.Arbitrary<T>, freq = 3) => fc.option(value, { nil: undefined, freq });
const tagValue = fc.constantFrom('acme', '(x) y', null);
const question = fc.record({
  from: optional(time),
  to: optional(time),
  types: optional(fc.subarray([...LEDGER_TYPES]), 2),
  task: optional(fc.constantFrom(...WORK.map(({ task }) => task)), 2),
  model: optional(fc.constantFrom('imgmodel-a-2' as const, 'imgmodel-b-pro' as const), 2),
  key_ids: optional(fc.subarray(['key_one', 'key_two', 'key_three']), 2),
  tags: optional(
    fc.uniqueArray(fc.tuple(fc.constantFrom('client', 'project'), tagValue), {
      maxLength: 2,
      selector: ([name]) => name,
    }),
    2,
  ),
  picked: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.nat({ max: GENERATIONS - 1 })),
  by: fc.shuffledSubarray<SumDimension>(['day', 'task', 'model', 'key', 'person', 'tag:client', 'tag:project']),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

async function writeHistory(side: LedgerSide, steps: typeof history extends fc.Arbitrary<infer Value> ? Value : never) {
  const model = new LedgerModel();
  const credit = { act: 'credit', pick: 0, amount: 50_000_000 } as const;
  let atMs = NOW.getTime();
  for (const { gapMs, ...operation } of [{ ...credit, gapMs: 0 }, ...steps]) {
    atMs += gapMs;
    const { moves, refused } = model.predict(operation);
    if (refused !== undefined) continue;
    model.apply(operation, moves);
    const work = WORK[operation.pick % WORK.length];
    const drafts = draftsOf(side, moves).map((draft) => (draft.generation_id ? { ...draft, ...work } : draft));
    await side.db.transaction((tx) => appendEntries(tx, side.organization_id, drafts, new Date(atMs)));
  }
}

type TaggedRow = LedgerRow & { tags: Readonly<Record<string, string>> | null };

const matches = ({ from, to, types, task, model, key_ids, tags }: Question, entry: TaggedRow): boolean =>
  (from === undefined || entry.created_at >= from) &&
  (to === undefined || entry.created_at < to) &&
  (types === undefined || types.includes(entry.type)) &&
  (task === undefined || entry.task === task) &&
  (model === undefined || entry.model === model) &&
  (key_ids === undefined || key_ids.includes(entry.key_id ?? '')) &&
  (tags ?? []).every(([name, value]) => entry.tags !== null && (entry.tags[name] ?? null) === value);

function valueOf(entry: TaggedRow, by: SumDimension): string | null {
  if (by === 'type') return entry.type;
  if (by === 'day') return entry.created_at.toISOString().slice(0, 10);
  if (by === 'task') return entry.task;
  if (by === 'model') return entry.model;
  if (by === 'key' || by === 'person') return entry.key_id;
  return entry.tags?.[by.slice('tag:'.length)] ?? null;
}

const MEASURES = ['amount', 'entries', 'spent', 'charges'] as const;
type EntrySums = Pick<ReportRow<(typeof MEASURES)[number]>, 'values' | 'sums'>;

const sortSums = (rows: readonly EntrySums[]) =>
  rows.map(({ values, sums }) => JSON.stringify([values, ...MEASURES.map((name) => String(sums[name]))])).toSorted();

function sumDirectly(entries: readonly TaggedRow[], by: readonly SumDimension[]): EntrySums[] {
  const rows = new Map<string, EntrySums>();
  for (const entry of entries) {
    const { type, amount_micro_usd } = entry;
    const values = by.map((dimension) => valueOf(entry, dimension));
    const { amount, entries: count, spent, charges } = rows.get(JSON.stringify(values))?.sums ?? NOTHING;
    const isSpending = type === 'SETTLE' || type === 'REFUND';
    rows.set(JSON.stringify(values), {
      values,
      sums: {
        amount: amount + amount_micro_usd,
        entries: count + 1n,
        spent: isSpending ? spent - amount_micro_usd : spent,
        charges: type === 'SETTLE' ? charges + 1n : charges,
      },
    });
  }
  return [...rows.values()];
}

const NOTHING = { amount: 0n, entries: 0n, spent: 0n, charges: 0n };

describeOnBothDatabases(
  'Sums of entries',
  () => ({}),
  (service) => {
    it(`equal what the entries add up to, for ${HISTORIES} histories with ${QUESTIONS} periods, filters and groups each`, async () => {
      const { db } = service.get().deps;
      const questions = fc.array(question, { minLength: QUESTIONS, maxLength: QUESTIONS });
      await fc.assert(
        fc.asyncProperty(history, questions, async (steps, asked) => {
          const side = await openLedgerSide(db);
          await writeHistory(side, steps);
          const { organization_id } = side;
          const rows = await db
            .select({ entry: ledgerEntries, tags: generations.tags })
            .from(ledgerEntries)
            .leftJoin(generations, eq(generations.id, ledgerEntries.generation_id))
            .where(eq(ledgerEntries.organization_id, organization_id))
            .orderBy(asc(ledgerEntries.seq));
          const entries = rows.map(({ entry, tags }): TaggedRow => ({ ...entry, tags }));
          expect(entries.length).toBeGreaterThan(10);
          for (const each of [{ ...asked[0], by: [] } as Question, ...asked]) {
            const { picked, tags, from, to, ...filter } = each;
            const by: SumDimension[] = ['type', ...each.by];
            const generation_id = picked === undefined ? undefined : side.ids[picked];
            const expected = entries.filter(
              (entry) => matches(each, entry) && (generation_id === undefined || entry.generation_id === generation_id),
            );
            const scope = { ...filter, organization_id, tags: new Map(tags), generation_id };
            const sums = await sumBy(db, scope, { from, to }, by, MEASURES);
            expect(sortSums(sums)).toEqual(sortSums(sumDirectly(expected, by)));
          }
        }),
        { numRuns: HISTORIES, endOnFailure: true },
      );
    }, 300_000);
  },
);
