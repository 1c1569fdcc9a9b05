import { formatUsd } from '#contract/money.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import type { LedgerRow } from './append-entries.ts';

export interface EntryKeyNames {
  mover_name: string | null;
  key_name: string | null;
}

export const presentLedgerEntry = (row: LedgerRow, { mover_name, key_name }: EntryKeyNames): LedgerEntry => ({
  id: row.id,
  object: 'ledger_entry',
  type: row.type,
  amount_usd: formatUsd(row.amount_micro_usd),
  available_after_usd: formatUsd(row.available_after_micro_usd),
  balance_after_usd: formatUsd(row.balance_after_micro_usd),
  generation_id: row.generation_id,
  workflow_run_id: row.workflow_run_id,
  description: row.description,
  created_by: presentKeyReference(row.created_by, mover_name),
  created_at: row.created_at.toISOString(),
  seq: Number(row.seq),
  task: row.task,
  model: row.model,
  key: presentKeyReference(row.key_id, key_name),
  hash: row.hash,
});

const presentKeyReference = (id: string | null, name: string | null) =>
  id === null || name === null ? null : { id, name };
