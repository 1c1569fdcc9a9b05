import { and, asc, desc, eq, getTableColumns, gt, lt, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import { formatNano } from '#contract/money/money.ts';
import type { List } from '#contract/primitives.ts';
import type { ProviderBill, ProviderBillLine } from '#contract/resources/provider-bill.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { markStale } from '#server/accounts/closing/matching/finding-sums.ts';
import { assertMonthOpen, lockClosings } from '#server/accounts/closing/settling/closing-entries.ts';
import { assertFound } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { providerBillLines, providerBills } from '#server/platform/db/schema/closing-schema.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import type { Deps } from '#server/platform/deps.ts';
import { presentLine } from './read-bill.ts';

/** Names of connected providers, by id. */
export type ProviderNames = ReadonlyMap<string, string>;

/** Engines of the operator's file have no other name. */
export const nameBillProvider = (id: string, providers: ProviderNames): string =>
  providers.get(id) ?? id.replace(/^file:/, '');

const present = (
  { db }: Pick<Deps, 'db'>,
  rows: readonly (typeof providerBills.$inferSelect)[],
  providers: ProviderNames,
): Promise<ProviderBill[]> =>
  readCreators(
    { db },
    rows.map(({ created_by }) => created_by),
  ).then((creatorOf) =>
    rows.map((row) => ({
      object: 'provider_bill',
      id: row.id,
      provider: { id: row.provider_id, name: nameBillProvider(row.provider_id, providers) },
      month: row.month,
      format: row.format,
      filename: row.filename,
      size_bytes: row.size_bytes,
      sha256: row.sha256,
      currency: row.currency,
      usd_rate: row.usd_rate,
      line_count: row.line_count,
      amount: formatNano(row.amount_nano),
      amount_usd: formatNano(row.usd_nano),
      created_by: creatorOf(row.created_by),
      created_at: row.created_at.toISOString(),
      read_at: row.read_at?.toISOString() ?? null,
    })),
  );

const isBill = (organization_id: string, id: string): SQL | undefined =>
  and(eq(providerBills.organization_id, organization_id), eq(providerBills.id, id));

/** @throws {ApiError} 404 */
export async function readBill(
  { db }: Pick<Deps, 'db'>,
  organization_id: string,
  id: string,
  providers: ProviderNames,
): Promise<ProviderBill> {
  const [bill] = await present(
    { db },
    await db.select().from(providerBills).where(isBill(organization_id, id)),
    providers,
  );
  assertFound(bill, 'Bill');
  return bill;
}

/** Newest first. */
export async function listBills(
  { db, secrets }: Deps,
  { organization_id }: Caller,
  { limit, cursor, month, provider_id }: QueryOf<'list_provider_bills'>,
  providers: ProviderNames,
): Promise<List<ProviderBill>> {
  const scope = { organization_id, list: 'provider_bills' } as const;
  const before = parsePageCursor(secrets, scope, cursor);
  const rows = await db
    .select()
    .from(providerBills)
    .where(
      and(
        eq(providerBills.organization_id, organization_id),
        month === undefined ? undefined : eq(providerBills.month, month),
        provider_id === undefined ? undefined : eq(providerBills.provider_id, provider_id),
        before === undefined ? undefined : lt(providerBills.id, before),
      ),
    )
    .orderBy(desc(providerBills.id))
    .limit(limit + 1);
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ id }) => id,
    present: (page) => present({ db }, page, providers),
  });
}

/** In the order of the file. @throws {ApiError} 404 */
export async function listBillLines(
  { db, secrets }: Deps,
  { organization_id }: Caller,
  bill_id: string,
  { limit, cursor, from_row }: QueryOf<'list_provider_bill_lines'>,
): Promise<List<ProviderBillLine>> {
  const [bill] = await db.select({ id: providerBills.id }).from(providerBills).where(isBill(organization_id, bill_id));
  assertFound(bill, 'Bill');
  const scope = { organization_id, list: 'provider_bill_lines' } as const;
  const after = parsePageCursor(secrets, scope, cursor);
  const { organization_id: _organization, bill_id: _bill, ...columns } = getTableColumns(providerBillLines);
  const rows = await db
    .select(columns)
    .from(providerBillLines)
    .where(
      and(
        eq(providerBillLines.organization_id, organization_id),
        eq(providerBillLines.bill_id, bill_id),
        gt(providerBillLines.row, after === undefined ? from_row - 1 : Number(after)),
      ),
    )
    .orderBy(asc(providerBillLines.row))
    .limit(limit + 1);
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ row }) => String(row),
    present: (page) =>
      page.map(({ usd_nano, ...line }) => ({
        object: 'provider_bill_line' as const,
        ...presentLine(line),
        amount_usd: formatNano(usd_nano),
      })),
  });
}

const SAVED_AS = /\.(csv|tsv|txt|gz|jsonl)$/i;

/** Opens the file of a bill. It is never saved as a page or a program. @throws {ApiError} 404 @throws {StorageError} */
export async function openBillFile({ db, storage }: Deps, organizationId: string, id: string) {
  const [bill] = await db.select().from(providerBills).where(isBill(organizationId, id));
  assertFound(bill, 'Bill');
  const { filename, storage_key } = bill;
  return { filename: SAVED_AS.test(filename) ? filename : `${filename}.csv`, content: await storage.read(storage_key) };
}

/** Deletes a bill with its lines, then its file. @returns its month @throws {ApiError} 404; 422 if the month is closed */
export async function deleteBill({ db, clock, storage, log }: Deps, caller: Caller, id: string): Promise<string> {
  const deleted = await withLongStatements(() =>
    db.transaction(async (tx) => {
      await lockClosings(tx, caller.organization_id);
      const [bill] = await tx.delete(providerBills).where(isBill(caller.organization_id, id)).returning();
      assertFound(bill, 'Bill');
      await assertMonthOpen(tx, caller.organization_id, bill.month);
      await markStale(tx, bill);
      const { month, filename, sha256, line_count, usd_nano } = bill;
      const before = { month, filename, sha256, line_count, usd: formatNano(usd_nano) };
      const target = { type: 'provider_bill', id, name: filename };
      await recordAuditEvent(tx, caller, { action: 'provider_bill.deleted', target, before }, clock.now());
      return bill;
    }),
  );
  // The sweeper deletes what this can't.
  await storage
    .delete(deleted.storage_key)
    .catch((error: unknown) => log.warn({ err: error, bill_id: id }, 'could not delete the file of a bill'));
  return deleted.month;
}
