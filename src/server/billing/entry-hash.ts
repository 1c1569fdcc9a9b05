import { createHash } from 'node:crypto';
import type { LedgerRow } from './append-entries.ts';

/**
 * What the database chains an entry by: SHA-256, hex, of a compact JSON array of text and null, as docs/ledger.md says.
 * @param previous_hash of the entry before; 64 zeros for the first
 */
export const computeEntryHash = (previous_hash: string, entry: LedgerRow): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        previous_hash,
        entry.organization_id,
        String(entry.seq),
        entry.id,
        entry.type,
        String(entry.amount_micro_usd),
        String(entry.available_after_micro_usd),
        String(entry.balance_after_micro_usd),
        entry.generation_id,
        entry.task,
        entry.model,
        entry.workflow_run_id,
        entry.description,
        entry.key_id,
        entry.created_by,
        entry.created_at.toISOString(),
      ]),
    )
    .digest('hex');
