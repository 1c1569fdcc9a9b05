import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { formatNano, NANO_PER_USD } from '#contract/money/money.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { markStale } from '#server/accounts/closing/matching/finding-sums.ts';
import { assertMonthOpen, lockClosings } from '#server/accounts/closing/settling/closing-entries.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { providerBillLines, providerBills } from '#server/platform/db/schema/closing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { BillFileError } from './bill-file-error.ts';
import type { BillLine } from './bill-lines.ts';
import { insertLines } from './insert-lines.ts';

type BillRow = typeof providerBills.$inferSelect;
export type BillMonth = Pick<BillRow, 'organization_id' | 'provider_id' | 'month'>;

interface ReadBill extends BillMonth, Pick<BillRow, 'filename' | 'sha256' | 'created_by'> {
  /** What the provider sent. */
  file: string;
  readLines: () => AsyncIterable<BillLine>;
}

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

/** Of a bill that is read: dollars, and nothing to choose. */
const READ = {
  format: 'read',
  columns: { date: null, amount: null, currency: null, service: null, request_id: null, quantity: null },
  currency: 'USD',
  usd_rate: null,
  line_count: 0,
  amount_nano: 0n,
  usd_nano: 0n,
} as const;

/**
 * Stores what a provider bills for a month in place of what it said before. Lines that are still there keep their
 * numbers, so that repeated reads add nothing twice.
 * @returns the id of the bill @throws {BillFileError} {StorageError}; then nothing is changed
 */
export async function storeReadBill(deps: Deps, actor: AuditActor, bill: ReadBill): Promise<string> {
  const { file, readLines, ...about } = bill;
  const { db, clock, storage, log } = deps;
  const read_at = clock.now();
  const [before] = await db
    .select()
    .from(providerBills)
    .where(and(isOfMonth(bill), isNotNull(providerBills.read_at)));
  const id = before?.id ?? createId('bil', read_at);
  if (before?.sha256 === bill.sha256) {
    await db.transaction(async (tx) => {
      await tx.update(providerBills).set({ read_at }).where(eq(providerBills.id, id));
      if (!('type' in actor)) await recordRead(tx, actor, before, before, read_at);
    });
    return id;
  }
  const storage_key = `bills/${id}-${createId('fil', read_at)}.jsonl`;
  const { size_bytes } = await storage.put(storage_key, { file });
  const content = { storage_key, size_bytes, sha256: bill.sha256, created_by: bill.created_by, read_at };
  const { organization_id, provider_id, month } = providerBills;
  try {
    await withLongStatements(() =>
      db.transaction(async (tx) => {
        await lockClosings(tx, about.organization_id);
        await assertMonthOpen(tx, about.organization_id, about.month);
        const [row] = await tx
          .insert(providerBills)
          .values({ ...about, ...READ, ...content, id, created_at: read_at })
          .onConflictDoUpdate({
            target: [organization_id, provider_id, month],
            targetWhere: sql`read_at is not null`,
            set: content,
          })
          .returning({ id: providerBills.id });
        if (row?.id !== id) throw new BillFileError('The bill is being read already. Try again.');
        await replaceLines(tx, { organization_id: about.organization_id, bill_id: id }, readLines());
        const ofBill = sql`${providerBillLines.organization_id} = ${about.organization_id} and bill_id = ${id}`;
        const sum = (of: SQL) => sql`(select ${of} from ${providerBillLines} where ${ofBill})`;
        const total = sum(sql`coalesce(sum(amount_nano), 0)`);
        const [after] = await tx
          .update(providerBills)
          .set({ line_count: sum(sql`count(*)`), amount_nano: total, usd_nano: total })
          .where(eq(providerBills.id, id))
          .returning();
        await markStale(tx, about);
        if (after) await recordRead(tx, actor, before, after, read_at);
      }),
    );
  } catch (error) {
    await storage.delete(storage_key).catch(() => undefined);
    throw error;
  }
  // The sweeper deletes what this can't.
  if (before)
    await storage
      .delete(before.storage_key)
      .catch((error: unknown) => log.warn({ err: error, bill_id: id }, 'could not delete an earlier bill'));
  return id;
}

/** Adds the lines behind those of before, then deletes what was there already, and what is gone. */
async function replaceLines(
  tx: Tx,
  owner: { organization_id: string; bill_id: string },
  lines: AsyncIterable<BillLine>,
): Promise<void> {
  const ofBill = sql`organization_id = ${owner.organization_id} and bill_id = ${owner.bill_id}`;
  const [last] = await readRows<{ row: number }>(
    tx,
    sql`select coalesce(max("row"), 0)::integer as "row" from ${providerBillLines} where ${ofBill}`,
  );
  const offset = last?.row ?? 0;
  async function* behind() {
    for await (const line of lines) yield { ...line, row: line.row + offset };
  }
  await insertLines(tx, { ...owner, rateNano: NANO_PER_USD }, behind());
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

/** Reads of the service itself are recorded where they change something. */
function recordRead(tx: Tx, actor: AuditActor, before: BillRow | undefined, after: BillRow, now: Date): Promise<void> {
  const describe = ({ line_count, usd_nano }: BillRow) => ({ line_count, usd: formatNano(usd_nano) });
  const target = { type: 'provider_bill', id: after.id, name: after.filename };
  const change = { action: 'provider_bill.read', target, before: before && describe(before) } as const;
  return recordAuditEvent(tx, actor, { ...change, after: { month: after.month, ...describe(after) } }, now);
}
