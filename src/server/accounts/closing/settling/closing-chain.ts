import { and, asc, eq, gt, lte } from 'drizzle-orm';
import { chainHash } from '#server/accounts/audit/hash-chain.ts';
import { type closingCorrections, closingEntries } from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import type { ClosingEntryRow } from './closing-entries.ts';

const PAGE_ROWS = 1_000;

/** Pages of rows, each read after the last row before it. */
export async function* readPages<Row>(
  read: (last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await read(last, PAGE_ROWS);
    if (rows.length > 0) yield rows;
    last = rows.at(-1);
    if (rows.length < PAGE_ROWS) return;
  }
}

/** The entries up to a number, in order. */
export const readClosingEntries = (
  db: Db,
  organizationId: string,
  lastSeq: bigint,
): AsyncGenerator<ClosingEntryRow[]> =>
  readPages<ClosingEntryRow>((row, limit) => {
    const { organization_id, seq } = closingEntries;
    return db
      .select()
      .from(closingEntries)
      .where(and(eq(organization_id, organizationId), gt(seq, row?.seq ?? 0n), lte(seq, lastSeq)))
      .orderBy(asc(seq))
      .limit(limit);
  });

/** Like the database function `closing_entry_hash`. */
export const computeClosingHash = (previousHash: string, entry: ClosingEntryRow): string =>
  chainHash(previousHash, [
    entry.organization_id,
    String(entry.seq),
    entry.id,
    entry.type,
    entry.month,
    entry.provider_id,
    entry.body,
    entry.created_by,
    entry.created_at.toISOString(),
  ]);

/** A correction as a line of JSON, of which the entry has the SHA-256 over all, in the order of finding ids. */
export const correctionLine = (row: Omit<typeof closingCorrections.$inferSelect, 'organization_id'>): string =>
  `${JSON.stringify({
    entry_id: row.entry_id,
    finding_id: row.finding_id,
    month: row.month,
    provider_id: row.provider_id,
    subject: row.subject,
    kind: row.kind,
    generation_id: row.generation_id,
    booked_at: row.booked_at.toISOString(),
    amount_nano: String(row.amount_nano),
    is_correction: row.is_correction,
  })}\n`;
