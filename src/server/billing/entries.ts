import { setImmediate } from 'node:timers/promises';
import { and, asc, eq } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { ledgerEntries } from '../db/billing-schema.ts';
import type { Db } from '../db/db.ts';
import { apiKeys } from '../db/schema.ts';
import type { LedgerRow } from './append.ts';
import { type LedgerFilter, type SeqRange, isNarrow, matches, within } from './ledger-filter.ts';
import type { EntryNames } from './present-entry.ts';

/** Entries that one query looks at: some milliseconds of the thread that the embedded database shares with everything. */
const WINDOW = 1_000n;

type Reading = { db: Pick<Db, 'select'> };
export type NamedEntry = EntryNames & { entry: LedgerRow };

const movers = alias(apiKeys, 'movers');

/** Entries with the names of their keys. */
export const selectEntries = (db: Pick<Db, 'select'>) =>
  db
    .select({ entry: ledgerEntries, mover_name: movers.name, key_name: apiKeys.name })
    .from(ledgerEntries)
    .leftJoin(movers, eq(movers.id, ledgerEntries.created_by))
    .leftJoin(apiKeys, eq(apiKeys.id, ledgerEntries.key_id));

/**
 * The windows of a range, so that neither memory nor time of a query grows with the ledger. Between them others get the
 * thread: queries of the embedded database never let go of it by themselves.
 */
export async function* windowsOf({ first, end }: SeqRange, size = WINDOW): AsyncGenerator<SeqRange> {
  for (let at = first; at < end; at += size) {
    yield { first: at, end: at + size < end ? at + size : end };
    await setImmediate();
  }
}

/** All entries of a filter within a range, oldest first, some at a time. */
export async function* readEntries(
  { db }: Reading,
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): AsyncGenerator<NamedEntry[]> {
  for await (const window of isNarrow(filter) ? [range] : windowsOf(range)) {
    const rows = await selectEntries(db)
      .where(and(within(organization_id, window), matches(filter)))
      .orderBy(asc(ledgerEntries.seq));
    if (rows.length > 0) yield rows;
  }
}
