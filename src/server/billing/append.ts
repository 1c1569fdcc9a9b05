import { eq } from 'drizzle-orm';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatUsd } from '#contract/money.ts';
import type { LedgerType } from '#contract/resources/billing.ts';
import type { Tx } from '../db/db.ts';
import { accounts, ledgerEntries } from '../db/schema.ts';
import { ApiError } from '../http/api-error.ts';
import { newId } from '../new-id.ts';

export interface EntryDraft {
  type: LedgerType;
  /** Signed effect on the available funds. */
  amount_micro_usd: bigint;
  generation_id?: string | null;
  /** Of the generation. */
  task?: TaskId;
  model?: ModelId | null;
  workflow_run_id?: string | null;
  description: string;
  /** Id of the API key; null where the service itself moves the money. */
  created_by: string | null;
}
export type LedgerRow = typeof ledgerEntries.$inferSelect;
type Account = typeof accounts.$inferSelect;

/** The sum that an entry moves against the available funds; null: only these move. Decision: Ledger */
const COUNTERPART = {
  TOP_UP: null,
  ADMIN_CREDIT: null,
  RESERVE: 'reserved_micro_usd',
  RELEASE: 'reserved_micro_usd',
  SETTLE: 'spent_micro_usd',
  REFUND: 'spent_micro_usd',
  ADJUSTMENT: null,
} as const satisfies Record<LedgerType, keyof Account | null>;

/** What a shortage stops; other movements are covered by what was reserved before. */
const STOPPED_BY_SHORTAGE = new Set<LedgerType>(['RESERVE', 'ADJUSTMENT']);

/**
 * Appends entries to an organization's ledger, in order, under the lock of its account.
 * @throws {ApiError} 402 `insufficient_balance` where a RESERVE or a negative ADJUSTMENT exceeds the available funds
 */
export async function appendEntries(
  tx: Tx,
  organization_id: string,
  drafts: readonly EntryDraft[],
  now: Date,
): Promise<LedgerRow[]> {
  let account = await lockAccount(tx, organization_id);
  const rows = drafts.map((draft) => {
    account = after(account, draft);
    return {
      id: newId('led', now),
      organization_id,
      seq: account.last_seq,
      type: draft.type,
      amount_micro_usd: draft.amount_micro_usd,
      available_after_micro_usd: account.available_micro_usd,
      balance_after_micro_usd: account.available_micro_usd + account.reserved_micro_usd,
      generation_id: draft.generation_id ?? null,
      task: draft.task ?? null,
      model: draft.model ?? null,
      workflow_run_id: draft.workflow_run_id ?? null,
      description: draft.description,
      created_by: draft.created_by,
      created_at: now,
    };
  });
  if (rows.length === 0) return [];
  await tx.insert(ledgerEntries).values(rows);
  await tx.update(accounts).set(account).where(eq(accounts.organization_id, organization_id));
  return rows;
}

/** One entry; see `appendEntries`. */
export async function appendEntry(tx: Tx, organization_id: string, draft: EntryDraft, now: Date): Promise<LedgerRow> {
  const [row] = await appendEntries(tx, organization_id, [draft], now);
  if (!row) throw new Error('An appended entry has no row.');
  return row;
}

/** Opens the account where there is none yet, and holds it until the transaction ends. */
async function lockAccount(tx: Tx, organization_id: string): Promise<Account> {
  const lock = () => tx.select().from(accounts).where(eq(accounts.organization_id, organization_id)).for('update');
  const [known] = await lock();
  if (known) return known;
  const fresh = { organization_id, available_micro_usd: 0n, reserved_micro_usd: 0n, spent_micro_usd: 0n, last_seq: 0n };
  await tx.insert(accounts).values(fresh).onConflictDoNothing();
  const [opened] = await lock();
  return opened ?? fresh;
}

function after(account: Account, { type, amount_micro_usd }: EntryDraft): Account {
  const available_micro_usd = account.available_micro_usd + amount_micro_usd;
  if (available_micro_usd < 0n && amount_micro_usd < 0n && STOPPED_BY_SHORTAGE.has(type)) {
    throw new ApiError(
      'insufficient_balance',
      `This needs $${formatUsd(-amount_micro_usd)}, and $${formatUsd(account.available_micro_usd)} is available.`,
    );
  }
  const counterpart = COUNTERPART[type];
  return {
    ...account,
    available_micro_usd,
    ...(counterpart === null ? {} : { [counterpart]: account[counterpart] - amount_micro_usd }),
    last_seq: account.last_seq + 1n,
  };
}
