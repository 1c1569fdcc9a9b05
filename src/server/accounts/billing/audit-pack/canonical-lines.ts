import type { AuditRow } from '#server/accounts/audit/read-events.ts';
import type { LedgerRow } from '#server/accounts/billing/ledger/append-entries.ts';

/**
 * A ledger entry as a line of JSON. Its values without `hash`, in this order and after the hash of the previous entry,
 * are what the hash is computed of. See docs/ledger.md
 */
export const ledgerLine = (entry: LedgerRow): string =>
  `${JSON.stringify({
    organization_id: entry.organization_id,
    seq: String(entry.seq),
    id: entry.id,
    type: entry.type,
    amount_micro_usd: String(entry.amount_micro_usd),
    available_after_micro_usd: String(entry.available_after_micro_usd),
    balance_after_micro_usd: String(entry.balance_after_micro_usd),
    generation_id: entry.generation_id,
    task: entry.task,
    model: entry.model,
    workflow_run_id: entry.workflow_run_id,
    description: entry.description,
    key_id: entry.key_id,
    created_by: entry.created_by,
    created_at: entry.created_at.toISOString(),
    hash: entry.hash,
  })}\n`;

/** An event of the audit log as a line of JSON, with the same rule as `ledgerLine`. */
export const auditLine = (event: AuditRow): string =>
  `${JSON.stringify({
    organization_id: event.organization_id,
    seq: String(event.seq),
    id: event.id,
    action: event.action,
    actor_type: event.actor_type,
    actor_id: event.actor_id,
    actor_name: event.actor_name,
    address: event.address,
    target_type: event.target_type,
    target_id: event.target_id,
    target_name: event.target_name,
    before: event.before_text,
    after: event.after_text,
    created_at: event.created_at.toISOString(),
    hash: event.hash,
  })}\n`;
