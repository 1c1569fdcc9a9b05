import { asc, eq, sql } from 'drizzle-orm';
import type { SettleAction } from '#contract/resources/closing-finding.ts';
import type { CloseRow } from '#contract/resources/closing.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { closingEntries } from '#server/platform/db/schema/closing-schema.ts';
import type { CostRatio } from '#server/platform/db/schema/provider-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';

/** What the entry of a settlement holds. Amounts are decimal billionths of dollars. */
export interface SettlementBody {
  action: SettleAction;
  note: string | null;
  finding_count: number;
  amount_nano: string;
  /** SHA-256 of the lines of its corrections, see `correctionLine`. */
  corrections_sha256: string;
  /** Of `use_new_cost`. */
  cost_ratios: readonly CostRatio[];
}

/** What the record of a closed month holds. */
export interface ClosingBody {
  /** The newest entry of the ledger in the month, or before it. */
  ledger: { seq: number; hash: string };
  bills: readonly { id: string; provider_id: string; sha256: string; line_count: number; amount_usd: string }[];
  providers: readonly (Omit<CloseRow, 'provider' | 'status' | 'matched_at'> & { provider_id: string })[];
}

export type ClosingEntryRow = typeof closingEntries.$inferSelect;

/** Until the end of the transaction, nothing else stores bills, settles or closes for the organization. */
export const lockClosings = (tx: Tx, organizationId: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`closings:${organizationId}`}, 0))`);

/** Appends an entry; the database numbers and hashes it. */
export async function appendClosingEntry(
  tx: Tx,
  { organization_id, key_id }: Caller,
  entry: Pick<ClosingEntryRow, 'type' | 'month'> &
    Partial<Pick<ClosingEntryRow, 'id' | 'provider_id'>> & { body: object },
  now: Date,
): Promise<ClosingEntryRow> {
  const [row] = await tx
    .insert(closingEntries)
    .values({
      id: createId('cls', now),
      ...entry,
      body: JSON.stringify(entry.body),
      organization_id,
      created_by: key_id,
      created_at: now,
    })
    .returning();
  if (!row) throw new Error('The entry of a closing was not stored.');
  return row;
}

/** The body that `settleFindings` wrote. */
export const parseSettlement = ({ body }: Pick<ClosingEntryRow, 'body'>): SettlementBody =>
  JSON.parse(body) as SettlementBody;

/** The body that `closeMonth` wrote. */
export const parseClosing = ({ body }: Pick<ClosingEntryRow, 'body'>): ClosingBody => JSON.parse(body) as ClosingBody;

/** The closing records of months that are closed. */
export async function readClosedMonths(
  db: Pick<Db, 'select'>,
  organizationId: string,
): Promise<ReadonlyMap<string, ClosingEntryRow>> {
  const rows = await db
    .select()
    .from(closingEntries)
    .where(sql`${eq(closingEntries.organization_id, organizationId)} and ${closingEntries.type} <> 'settlement'`)
    .orderBy(asc(closingEntries.seq));
  const closed = new Map<string, ClosingEntryRow>();
  for (const row of rows) {
    if (row.type === 'close') closed.set(row.month, row);
    else closed.delete(row.month);
  }
  return closed;
}

/** Whether the month has a closing record. */
export const isMonthClosed = async (db: Pick<Db, 'select'>, organizationId: string, month: string): Promise<boolean> =>
  (await readClosedMonths(db, organizationId)).has(month);

/** Whether what was booked at a time may change no more. */
export async function isBookedInClosedMonth(
  db: Pick<Db, 'select'>,
  organizationId: string,
  bookedAt: Date,
  now: Date,
): Promise<boolean> {
  const month = bookedAt.toISOString().slice(0, 7);
  // A month is closed once it is over, so most work needs no query.
  return month < now.toISOString().slice(0, 7) && (await isMonthClosed(db, organizationId, month));
}

export const invalidClosing = (message: string): ApiError => new ApiError('invalid_request', message, { status: 422 });

/** Call it after `lockClosings`. @throws {ApiError} 422 */
export async function assertMonthOpen(tx: Tx, organizationId: string, month: string): Promise<void> {
  if (await isMonthClosed(tx, organizationId, month))
    throw invalidClosing(
      `${month} is closed, so its bills and costs stay as they are. Reopen it, or use a later month.`,
    );
}
