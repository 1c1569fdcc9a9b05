import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { formatNano, NANO_PER_USD } from '#contract/money/money.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { providerBillLines, providerBills } from '#server/platform/db/schema/closing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { BillLine } from './bill-lines.ts';
import { insertLines } from './insert-lines.ts';

export interface BillMonth {
  organization_id: string;
  provider_id: string;
  /** `2026-11` */
  month: string;
}

interface ReadBill extends BillMonth {
  filename: string;
  /** What the provider sent. */
  file: string;
  sha256: string;
  created_by: string;
  readLines: () => AsyncIterable<BillLine>;
}

const NO_COLUMNS = { date: null, amount: null, currency: null, service: null, request_id: null, quantity: null };

const isOfMonth = ({ organization_id, provider_id, month }: BillMonth): SQL | undefined =>
  and(
    eq(providerBills.organization_id, organization_id),
    eq(providerBills.provider_id, provider_id),
    eq(providerBills.month, month),
  );

/** Whether a bill of the month was added as a file, or with `read` read from the provider. Both would count twice. */
export const hasBill = async (db: Pick<Db, '$count'>, about: BillMonth, by: 'file' | 'read'): Promise<boolean> =>
  (await db.$count(
    providerBills,
    and(isOfMonth(about), by === 'file' ? isNull(providerBills.read_at) : isNotNull(providerBills.read_at)),
  )) > 0;

/**
 * Stores what a provider bills for a month in place of what it said before. Lines that are still there keep their
 * numbers, so that repeated reads add nothing twice.
 * @returns the id of the bill @throws {BillFileError} {StorageError}; then nothing is changed
 */
export async function storeReadBill(deps: Deps, actor: AuditActor, bill: ReadBill): Promise<string> {
  const { file, readLines, ...about } = bill;
  const { db, clock, storage, log } = deps;
  const now = clock.now();
  const known = await findRead(db, bill);
  if (known?.sha256 === bill.sha256) {
    await db.transaction((tx) => finish(tx, actor, known, { read_at: now }));
    return known.id;
  }
  const newId = known?.id ?? createId('bil', now);
  const storage_key = `bills/${newId}-${createId('fil', now)}.jsonl`;
  const { size_bytes } = await storage.put(storage_key, { file });
  try {
    const replaced = await withLongStatements(() =>
      db.transaction(async (tx) => {
        await tx.execute(
          sql`select pg_advisory_xact_lock(hashtextextended(${`bill ${bill.organization_id} ${bill.provider_id} ${bill.month}`}, 0))`,
        );
        const before = await findRead(tx, bill);
        const row = before ?? (await createBill(tx, { ...about, id: newId, storage_key, size_bytes }, now));
        await replaceLines(tx, row, readLines());
        const content = { sha256: bill.sha256, storage_key, size_bytes, created_by: bill.created_by };
        await finish(tx, actor, row, { ...content, ...(await sumLines(tx, row)), read_at: now });
        return before;
      }),
    );
    // The sweeper deletes what this can't.
    if (replaced)
      await storage
        .delete(replaced.storage_key)
        .catch((error: unknown) => log.warn({ err: error, bill_id: replaced.id }, 'could not delete an earlier bill'));
    return replaced?.id ?? newId;
  } catch (error) {
    await storage.delete(storage_key).catch(() => undefined);
    throw error;
  }
}

type BillRow = typeof providerBills.$inferSelect;

async function findRead(db: Pick<Db, 'select'>, about: BillMonth): Promise<BillRow | undefined> {
  const [row] = await db
    .select()
    .from(providerBills)
    .where(and(isOfMonth(about), isNotNull(providerBills.read_at)));
  return row;
}

async function createBill(
  tx: Tx,
  about: Omit<ReadBill, 'file' | 'readLines'> & Pick<BillRow, 'id' | 'storage_key' | 'size_bytes'>,
  now: Date,
): Promise<BillRow> {
  const sums = { line_count: 0, amount_nano: 0n, usd_nano: 0n };
  const shape = { format: 'read', columns: NO_COLUMNS, currency: 'USD', usd_rate: null } as const;
  const [row] = await tx
    .insert(providerBills)
    .values({ ...about, ...shape, ...sums, created_at: now, read_at: now })
    .returning();
  if (!row) throw new Error('An inserted bill has no row.');
  return row;
}

/** Adds the lines behind those of before, then deletes what was there already, and what is gone. */
async function replaceLines(tx: Tx, { organization_id, id }: BillRow, lines: AsyncIterable<BillLine>): Promise<void> {
  const ofBill = sql`organization_id = ${organization_id} and bill_id = ${id}`;
  const [last] = await readRows<{ row: number }>(
    tx,
    sql`select coalesce(max("row"), 0)::integer as "row" from ${providerBillLines} where ${ofBill}`,
  );
  const offset = last?.row ?? 0;
  async function* behind() {
    for await (const line of lines) yield { ...line, row: line.row + offset };
  }
  await insertLines(tx, { organization_id, bill_id: id, rateNano: NANO_PER_USD }, behind());
  if (offset === 0) return;
  await tx.execute(sql`
    with lines as (
      select "row", "row" > ${offset} as is_new, md5((charged_at, category, service, description, request_id,
        quantity_nano, unit, amount_nano)::text) as content
      from ${providerBillLines} where ${ofBill}
    ), numbered as (
      select *, row_number() over (partition by is_new, content order by "row") as nth from lines
    ), pairs as (
      select before."row" as before_row, after."row" as after_row
      from (select * from numbered where not is_new) as before
      full join (select * from numbered where is_new) as after using (content, nth)
    )
    delete from ${providerBillLines} where ${ofBill}
      and "row" in (select coalesce(after_row, before_row) from pairs where before_row is not null)`);
}

async function sumLines(tx: Tx, { organization_id, id }: BillRow) {
  const [sums] = await readRows<{ line_count: number; nano: string }>(
    tx,
    sql`select count(*)::integer as line_count, coalesce(sum(amount_nano), 0)::text as nano
      from ${providerBillLines} where organization_id = ${organization_id} and bill_id = ${id}`,
  );
  const nano = BigInt(sums?.nano ?? 0);
  return { line_count: sums?.line_count ?? 0, amount_nano: nano, usd_nano: nano };
}

/** Reads of the service itself are recorded when they change something. */
async function finish(
  tx: Tx,
  actor: AuditActor,
  row: BillRow,
  change: Partial<BillRow> & { read_at: Date },
): Promise<void> {
  await tx.update(providerBills).set(change).where(eq(providerBills.id, row.id));
  if ('type' in actor && change.sha256 === undefined) return;
  const describe = ({ line_count, usd_nano }: BillRow) => ({ line_count, usd: formatNano(usd_nano) });
  const target = { type: 'provider_bill', id: row.id, name: row.filename };
  const event = { action: 'provider_bill.read', target, before: describe(row) } as const;
  const after = { month: row.month, ...describe({ ...row, ...change }) };
  await recordAuditEvent(tx, actor, { ...event, after }, change.read_at);
}
