import type { Db } from '#server/platform/db/db.ts';
import { and, asc, between, eq, inArray } from 'drizzle-orm';
import type { LedgerEntryDetail } from '#contract/resources/ledger.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { GENESIS_HASH, ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { presentLedgerEntry } from './present-ledger-entry.ts';
import { selectLedgerEntries } from './read-entries.ts';
import type { SpendingScope } from '#server/accounts/billing/reports/spending-scope.ts';

const MAX_ENTRIES = 100;

/**
 * Reads one entry with the hash before it, its neighbors and the entries of its generation.
 * @throws {ApiError} 404 `not_found`, also for an entry that the caller may not see
 */
export async function readLedgerEntry(
  db: Db,
  { organization_id, key_ids, seesCosts }: SpendingScope,
  entryId: string,
): Promise<LedgerEntryDetail> {
  const { id, organization_id: ofOrganization, seq, key_id, generation_id, hash } = ledgerEntries;
  const [row] = await selectLedgerEntries(db).where(
    and(eq(id, entryId), eq(ofOrganization, organization_id), key_ids ? inArray(key_id, [...key_ids]) : undefined),
  );
  if (!row) throw new ApiError('not_found', 'Ledger entry not found.');
  const { entry, ...names } = row;
  const neighbors = await db
    .select({ id, seq, key_id, hash })
    .from(ledgerEntries)
    .where(and(eq(ofOrganization, organization_id), between(seq, entry.seq - 1n, entry.seq + 1n)));
  const neighborAt = (at: bigint) => {
    const found = neighbors.find((neighbor) => neighbor.seq === at);
    const isVisible = found && (!key_ids || (found.key_id !== null && key_ids.includes(found.key_id)));
    return isVisible ? { id: found.id, seq: Number(found.seq) } : null;
  };
  const siblings =
    entry.generation_id === null
      ? [row]
      : await selectLedgerEntries(db)
          .where(eq(generation_id, entry.generation_id))
          .orderBy(asc(seq))
          .limit(MAX_ENTRIES);
  return {
    ...presentLedgerEntry(entry, names, seesCosts),
    metadata: names.metadata ?? {},
    previous_hash: neighbors.find((neighbor) => neighbor.seq === entry.seq - 1n)?.hash ?? GENESIS_HASH,
    previous: neighborAt(entry.seq - 1n),
    next: neighborAt(entry.seq + 1n),
    entries: siblings.map(({ entry: sibling, ...ofSibling }) => presentLedgerEntry(sibling, ofSibling, seesCosts)),
  };
}
