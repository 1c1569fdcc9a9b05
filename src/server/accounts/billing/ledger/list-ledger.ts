import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type EntryQuery, findEntries } from './find-entries.ts';
import { type LedgerFilter, resolveSeqRange } from './ledger-filter.ts';
import { resolveLedgerSearch } from './ledger-search.ts';
import { presentLedgerEntry } from './present-ledger-entry.ts';
import type { NamedEntry } from './read-entries.ts';

/** Greater than every `seq`. */
const MAX_SEQ = 2n ** 63n - 1n;

export type LedgerPageQuery = LedgerFilter & Pick<QueryOf<'list_ledger'>, 'limit' | 'cursor' | 'q'>;

/**
 * Reads a page of an organization's ledger, newest first. Ids of other organizations match nothing.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export const listLedger = (
  deps: Pick<Deps, 'db' | 'secrets'>,
  organizationId: string,
  query: LedgerPageQuery,
): Promise<List<LedgerEntry>> =>
  readLedgerPage(deps, { organization_id: organizationId, list: 'ledger' }, query, {
    select: (filter) => ({ types: filter.type && [filter.type] }),
    present: (rows) => rows.map(({ entry, ...names }) => presentLedgerEntry(entry, names, query.seesCosts)),
  });

interface LedgerPageOptions<Item> {
  asLines?: boolean;
  /** Which entries of the filter the page is made of. */
  select: (filter: LedgerFilter) => Pick<EntryQuery, 'types' | 'condition'>;
  present: (rows: readonly NamedEntry[]) => Item[] | Promise<Item[]>;
}

/** Reads a page of entries, or of what they stand for. */
export async function readLedgerPage<Item>(
  deps: Pick<Deps, 'db' | 'secrets'>,
  scope: { organization_id: string; list: 'ledger' | 'ledger_lines' },
  { limit, cursor, ...query }: LedgerPageQuery,
  { asLines, select, present }: LedgerPageOptions<Item>,
): Promise<List<Item>> {
  const { organization_id } = scope;
  const position = parsePageCursor(deps.secrets, scope, cursor);
  const before = position === undefined ? MAX_SEQ : BigInt(position);
  const filter = await resolveLedgerSearch(deps.db, organization_id, query, asLines);
  const { created_after, created_before, seq } = filter;
  const isBounded = (created_after ?? created_before ?? seq) !== undefined;
  const times = isBounded ? await resolveSeqRange(deps, organization_id, filter) : { first: 1n, end: MAX_SEQ };
  const range = { first: times.first, end: before < times.end ? before : times.end };
  const entries = { organization_id, filter, range, ...select(filter) };
  return presentPage(deps.secrets, scope, {
    rows: await findEntries(deps.db, entries, { count: limit + 1, order: 'desc' }),
    limit,
    position: ({ entry }) => entry.seq.toString(),
    present,
  });
}
