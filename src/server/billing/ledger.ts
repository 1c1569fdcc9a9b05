import { and, desc, eq, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import { formatUsd } from '#contract/money.ts';
import type { List } from '#contract/primitives.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { issueCursor, readCursor } from '../cursor.ts';
import type { Deps } from '../deps.ts';
import { apiKeys, ledgerEntries } from '../db/schema.ts';
import { ApiError } from '../http/api-error.ts';
import type { LedgerRow } from './append.ts';
import { createdWithin } from './created-within.ts';

/**
 * A page of an organization's ledger, newest first. Ids of other organizations match nothing.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export async function listLedger(
  deps: Pick<Deps, 'db' | 'secrets'>,
  organization_id: string,
  query: QueryOf<'list_ledger'>,
): Promise<List<LedgerEntry>> {
  const scope = { organization_id, list: 'ledger' } as const;
  const rows = await deps.db
    .select({ entry: ledgerEntries, key_name: apiKeys.name })
    .from(ledgerEntries)
    .leftJoin(apiKeys, eq(apiKeys.id, ledgerEntries.created_by))
    .where(
      and(
        eq(ledgerEntries.organization_id, organization_id),
        query.cursor === undefined ? undefined : lt(ledgerEntries.seq, positionOf(deps, scope, query.cursor)),
        query.type && eq(ledgerEntries.type, query.type),
        createdWithin(ledgerEntries.created_at, query),
        query.generation_id ? eq(ledgerEntries.generation_id, query.generation_id) : undefined,
        query.workflow_run_id ? eq(ledgerEntries.workflow_run_id, query.workflow_run_id) : undefined,
      ),
    )
    .orderBy(desc(ledgerEntries.seq))
    .limit(query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const has_more = rows.length > query.limit;
  return {
    object: 'list',
    data: page.map(({ entry, key_name }) => presentEntry(entry, key_name)),
    has_more,
    next_cursor: has_more && last ? issueCursor(deps.secrets, scope, last.entry.seq.toString()) : null,
  };
}

function positionOf(
  { secrets }: Pick<Deps, 'secrets'>,
  scope: Parameters<typeof readCursor>[1],
  cursor: string,
): bigint {
  const position = readCursor(secrets, scope, cursor);
  if (position !== null) return BigInt(position);
  throw new ApiError('invalid_request', 'This cursor was not issued here. Start again at the first page.');
}

/** @param key_name name of the key in `created_by` */
export const presentEntry = (row: LedgerRow, key_name: string | null): LedgerEntry => ({
  id: row.id,
  object: 'ledger_entry',
  type: row.type,
  amount_usd: formatUsd(row.amount_micro_usd),
  available_after_usd: formatUsd(row.available_after_micro_usd),
  balance_after_usd: formatUsd(row.balance_after_micro_usd),
  generation_id: row.generation_id,
  workflow_run_id: row.workflow_run_id,
  description: row.description,
  created_by: row.created_by === null || key_name === null ? null : { id: row.created_by, name: key_name },
  created_at: row.created_at.toISOString(),
});
