import { type SQL, and, desc, eq, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import type { Deps } from '#server/deps.ts';
import { ledgerEntries } from '#server/db/billing-schema.ts';
import { presentPage, parsePageCursor } from '#server/core/list-page.ts';
import { selectLedgerEntries } from './read-entries.ts';
import {
  type LedgerFilter,
  type SeqRange,
  isSelectiveFilter,
  ledgerFilterCondition,
  newestSeqQuery,
  resolveSeqRange,
  seqRangeCondition,
} from './ledger-filter.ts';
import { presentLedgerEntry } from './present-ledger-entry.ts';

/** Greater than every `seq`. */
const MAX_SEQ = 2n ** 63n - 1n;

/**
 * Reads a page of an organization's ledger, newest first. Ids of other organizations match nothing.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export async function listLedger(
  deps: Pick<Deps, 'db' | 'secrets'>,
  organization_id: string,
  query: LedgerFilter & Pick<QueryOf<'list_ledger'>, 'limit' | 'cursor'>,
): Promise<List<LedgerEntry>> {
  const scope = { organization_id, list: 'ledger' } as const;
  const position = parsePageCursor(deps.secrets, scope, query.cursor);
  const before = position === undefined ? MAX_SEQ : BigInt(position);
  const { created_after, created_before, seq } = query;
  const isBounded = (created_after ?? created_before ?? seq) !== undefined;
  const times = isBounded ? await resolveSeqRange(deps, organization_id, query) : { first: 1n, end: MAX_SEQ };
  const range = { first: times.first, end: before < times.end ? before : times.end };
  const rows = await readNewestEntries(deps, organization_id, query, range);
  return presentPage(deps.secrets, scope, {
    rows,
    limit: query.limit,
    position: ({ entry }) => entry.seq.toString(),
    present: (page) => page.map(({ entry, ...names }) => presentLedgerEntry(entry, names)),
  });
}

async function readNewestEntries(
  { db }: Pick<Deps, 'db'>,
  organization_id: string,
  query: LedgerFilter & Pick<QueryOf<'list_ledger'>, 'limit' | 'cursor'>,
  range: SeqRange,
) {
  const limit = query.limit + 1;
  const newest = (where: SQL | undefined, order: SQL) =>
    selectLedgerEntries(db).where(where).orderBy(order).limit(limit);
  const { seq } = ledgerEntries;
  const all = and(seqRangeCondition(organization_id, range), ledgerFilterCondition(query));
  // `+ 0` keeps the planner from walking the ledger in index order instead of reading the few entries that match.
  if (isSelectiveFilter(query)) return newest(all, sql`${seq} + 0 desc`);
  if ([query.task, query.model, query.key_id, query.key_ids].every((value) => value == null) || query.tags?.size)
    return newest(all, desc(seq));
  const newestSeqs = newestSeqQuery(organization_id, query, range, limit);
  if (!newestSeqs) return [];
  const condition = and(eq(ledgerEntries.organization_id, organization_id), sql`${seq} = any(array(${newestSeqs}))`);
  return newest(condition, desc(seq));
}
