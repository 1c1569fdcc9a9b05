import { setImmediate } from 'node:timers/promises';
import type { LedgerType } from '#contract/money/ledger.ts';
import type { Db } from '#server/platform/db/db.ts';
import { findEntries } from './find-entries.ts';
import type { LedgerFilter, SeqRange } from './ledger-filter.ts';
import type { NamedEntry } from './read-entries.ts';

/** Entries per query, as in `seqWindows`. */
const PAGE_ENTRIES = 1_000;
/** The first rows come sooner. */
const FIRST_ENTRIES = 100;

/** Reads all entries of a filter within a range, oldest first, in batches. */
export async function* readLedgerEntries(
  db: Db,
  organizationId: string,
  filter: LedgerFilter,
  { first, end }: SeqRange,
  types?: readonly LedgerType[],
): AsyncGenerator<NamedEntry[]> {
  for (let at = first, count = FIRST_ENTRIES; ; count = PAGE_ENTRIES) {
    const query = { organization_id: organizationId, filter, range: { first: at, end }, types };
    const rows = await findEntries(db, query, { count, order: 'asc' });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < count) return;
    at = last.entry.seq + 1n;
    await setImmediate();
  }
}
