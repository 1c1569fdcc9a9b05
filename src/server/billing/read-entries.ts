import { setImmediate } from 'node:timers/promises';
import { and, asc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ledgerEntries } from '#server/db/billing-schema.ts';
import type { Db } from '#server/db/db.ts';
import { apiKeys } from '#server/db/schema.ts';
import type { LedgerRow } from './append-entries.ts';
import {
  type LedgerFilter,
  type SeqRange,
  isSelectiveFilter,
  ledgerFilterCondition,
  seqRangeCondition,
} from './ledger-filter.ts';
import type { EntryKeyNames } from './present-ledger-entry.ts';

/** Entries that one query looks at: some milliseconds of the thread that the embedded database shares with everything. */
const WINDOW_ENTRIES = 1_000n;

type LedgerReader = { db: Pick<Db, 'select'> };
export type NamedEntry = EntryKeyNames & { entry: LedgerRow };

const creatorKeys = alias(apiKeys, 'movers');

/** Entries with the names of their keys. */
export const selectLedgerEntries = (db: Pick<Db, 'select'>) =>
  db
    .select({ entry: ledgerEntries, mover_name: creatorKeys.name, key_name: apiKeys.name })
    .from(ledgerEntries)
    .leftJoin(creatorKeys, eq(creatorKeys.id, ledgerEntries.created_by))
    .leftJoin(apiKeys, eq(apiKeys.id, ledgerEntries.key_id));

/**
 * The windows of a range, so that neither memory nor time of a query grows with the ledger. Between them others get the
 * thread: queries of the embedded database never let go of it by themselves.
 */
export async function* seqWindows({ first, end }: SeqRange, size = WINDOW_ENTRIES): AsyncGenerator<SeqRange> {
  for (let at = first; at < end; at += size) {
    yield { first: at, end: at + size < end ? at + size : end };
    await setImmediate();
  }
}

/** All entries of a filter within a range, oldest first, some at a time. */
export async function* readLedgerEntries(
  { db }: LedgerReader,
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): AsyncGenerator<NamedEntry[]> {
  for await (const window of isSelectiveFilter(filter) ? [range] : seqWindows(range)) {
    const rows = await selectLedgerEntries(db)
      .where(and(seqRangeCondition(organization_id, window), ledgerFilterCondition(filter)))
      .orderBy(asc(ledgerEntries.seq));
    if (rows.length > 0) yield rows;
  }
}
