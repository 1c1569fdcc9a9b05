import { isDeepStrictEqual } from 'node:util';
import { asc, desc, lt, sql } from 'drizzle-orm';
import { presentPrices } from '#contract/money/pricing.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { findOperatorId } from '#server/accounts/audit/find-operator-id.ts';
import { recordAuditEvent, serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { priceBooks } from '#server/platform/db/schema/billing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Lets one of several starting processes record the prices. Arbitrary, but used for nothing else. */
const PRICE_BOOK_LOCK = 8_787_003;

/** Records a change of this installation's prices with its time. */
export async function recordPrices({ db, clock, offering }: Deps): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${PRICE_BOOK_LOCK}::bigint)`);
    const rows = presentPrices(offering.current().prices);
    const [newest] = await tx.select().from(priceBooks).orderBy(desc(priceBooks.since)).limit(1);
    if (isDeepStrictEqual(newest?.prices, rows)) return;
    const now = clock.now();
    await tx.insert(priceBooks).values({ since: now, prices: rows }).onConflictDoNothing();
    const operatorId = newest ? await findOperatorId(tx) : null;
    if (!newest || operatorId === null) return;
    const [before, after] = [describePrices(newest.prices), describePrices(rows)];
    const change = { action: 'prices.changed', target: { type: 'prices' }, before, after } as const;
    await recordAuditEvent(tx, serviceActor(operatorId), change, now);
  });
}

/** One field per model, so that an event contains only those that changed. */
const describePrices = (rows: ReturnType<typeof presentPrices>): Record<string, unknown> =>
  Object.fromEntries(rows.map(({ task, model, ...price }) => [[task, model].filter(Boolean).join(' '), price]));

/** Reads the price books in force at any time in `[from, to)`, oldest first. */
export async function readPricesInForce({ db, offering }: Deps, from: Date, to: Date): Promise<Statement['prices']> {
  const noted = await db.select().from(priceBooks).where(lt(priceBooks.since, to)).orderBy(asc(priceBooks.since));
  const first = noted.findLastIndex(({ since }) => since <= from);
  const books = noted.slice(Math.max(first, 0)).map((book) => ({ since: book.since.toISOString(), data: book.prices }));
  return books.length > 0 ? books : [{ since: null, data: presentPrices(offering.current().prices) }];
}
