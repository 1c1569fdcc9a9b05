import { formatUsd } from '#contract/money/money.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { LedgerRow } from './append-entries.ts';
import { presentEntryCost, type WorkCost } from './entry-costs.ts';

export interface EntryKeyNames {
  mover_name: string | null;
  key_name: string | null;
}

/** The work that an entry is for. */
export interface EntryWork {
  person_id: string | null;
  person_name: string | null;
  prompt: string | null;
  tags: Readonly<Record<string, string>> | null;
  metadata: Readonly<Record<string, string>> | null;
}

/** @param seesCosts whether the caller has `costs.read`; the fields of the cost are absent otherwise */
export const presentLedgerEntry = (
  row: LedgerRow,
  { mover_name, key_name, ...work }: EntryKeyNames & Partial<EntryWork & WorkCost>,
  seesCosts = false,
): LedgerEntry => ({
  id: row.id,
  object: 'ledger_entry',
  type: row.type,
  amount_usd: formatUsd(row.amount_micro_usd),
  available_after_usd: formatUsd(row.available_after_micro_usd),
  balance_after_usd: formatUsd(row.balance_after_micro_usd),
  generation_id: row.generation_id,
  workflow_run_id: row.workflow_run_id,
  description: row.description,
  created_by: presentReference(row.created_by, mover_name),
  created_at: row.created_at.toISOString(),
  seq: Number(row.seq),
  task: row.task,
  model: row.model,
  key: presentReference(row.key_id, key_name),
  hash: row.hash,
  ...(work.prompt === undefined ? {} : presentWork(work)),
  ...(seesCosts ? presentEntryCost(row, costOf(work)) : {}),
});

const costOf = ({ cost_micro_usd = null, cost_basis = null, isCharged = null }: Partial<WorkCost>): WorkCost => ({
  cost_micro_usd,
  cost_basis,
  isCharged,
});

export const presentWork = ({ person_id, person_name, prompt, tags }: Partial<EntryWork>) => ({
  person: presentReference(person_id, person_name),
  prompt: prompt ?? null,
  tags: { ...tags },
});

export const presentReference = (id: string | null | undefined, name: string | null | undefined) =>
  typeof id === 'string' && typeof name === 'string' ? { id, name } : null;
