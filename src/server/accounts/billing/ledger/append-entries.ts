import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { LedgerType } from '#contract/money/ledger.ts';
import { toSearchVector } from '#server/platform/core/search-words.ts';
import { ledgerEntries, ledgerSearchTexts } from '#server/platform/db/schema/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { toBillingError } from '#server/accounts/billing/billing-errors.ts';

export interface EntryDraft {
  type: LedgerType;
  /** Signed effect on the available funds. */
  amount_micro_usd: bigint;
  generation_id?: string | null;
  task?: TaskId;
  model?: AnyModelId | null;
  /** The key that created the generation. */
  key_id?: string;
  workflow_run_id?: string | null;
  description: string;
  /** Id of the API key that moves the money; null: the service itself or the command line. */
  created_by: string | null;
}
export type LedgerRow = typeof ledgerEntries.$inferSelect;

/** Explicit, so that all inserts of as many entries are one prepared statement. */
const NO_GENERATION = { generation_id: null, task: null, model: null, key_id: null, workflow_run_id: null };

/**
 * Appends entries to an organization's ledger, in order and in one round trip. The database assigns number, balances
 * and hash under the lock of the account, and rejects what the account does not cover.
 * @throws {ApiError} 402 `insufficient_balance` if a RESERVE exceeds a budget, or it or a negative ADJUSTMENT the available
 * funds; 400 `invalid_request` if REFUNDs exceed the charge. The transaction is aborted then.
 */
export async function appendEntries(
  tx: Tx,
  organizationId: string,
  drafts: readonly EntryDraft[],
  now: Date,
): Promise<LedgerRow[]> {
  if (drafts.length === 0) return [];
  const rows = drafts.map((draft) => toNewEntry(organizationId, draft, now));
  try {
    const insert = tx.insert(ledgerEntries).values(rows).returning();
    const entries = await insert.prepare(`append_${rows.length}_entries`).execute();
    await indexDescriptions(tx, entries);
    return entries;
  } catch (error) {
    throw toBillingError(error);
  }
}

/** An entry without what the database assigns. */
export const toNewEntry = (organization_id: string, draft: EntryDraft, created_at: Date) => ({
  ...NO_GENERATION,
  ...draft,
  id: createId('led', created_at),
  organization_id,
  created_at,
});

/** Types whose descriptions people write. Those of other types are the names of task and model. */
const WRITTEN_TYPES: ReadonlySet<LedgerType> = new Set(['TOP_UP', 'ADMIN_CREDIT', 'ADJUSTMENT', 'REFUND']);

async function indexDescriptions(tx: Tx, entries: readonly LedgerRow[]): Promise<void> {
  const texts = entries
    .filter(({ type }) => WRITTEN_TYPES.has(type))
    .map(({ organization_id, seq, generation_id, description }) => ({
      organization_id,
      seq,
      generation_id,
      words: toSearchVector(description),
    }));
  if (texts.length > 0) await tx.insert(ledgerSearchTexts).values(texts);
}

export async function appendEntry(tx: Tx, organizationId: string, draft: EntryDraft, now: Date): Promise<LedgerRow> {
  const [row] = await appendEntries(tx, organizationId, [draft], now);
  if (!row) throw new Error('The insert of a ledger entry returned no row.');
  return row;
}
