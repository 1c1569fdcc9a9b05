import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { chainHash, readChainHead } from './hash-chain.ts';
import { type AuditRow, readAuditEvents } from './read-events.ts';

/**
 * Recomputes the chain of the audit log up to its head at the moment, in batches.
 * @returns a sentence about the first event that is wrong; null if all are right
 */
export async function findAuditProblem(
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const head = await readChainHead(db, 'audit', organizationId);
  let [seq, hash] = [0n, GENESIS_HASH];
  for await (const rows of readAuditEvents(db, organizationId, { after: 0n, last: head.newestSeq })) {
    signal?.throwIfAborted();
    for (const row of rows) {
      if (row.seq !== seq + 1n) return `Event ${seq + 1n} of the audit log is missing.`;
      if (row.hash !== computeAuditHash(hash, row)) return `Event ${row.seq} of the audit log was changed.`;
      ({ seq, hash } = row);
    }
  }
  if (seq === head.seq && hash === head.hash) return null;
  return `The audit log ends with event ${seq}, but ${head.seq} events were recorded.`;
}

/** Like the database function `audit_event_hash`. */
const computeAuditHash = (previousHash: string, event: AuditRow): string =>
  chainHash(previousHash, [
    event.organization_id,
    String(event.seq),
    event.id,
    event.action,
    event.actor_type,
    event.actor_id,
    event.actor_name,
    event.address,
    event.target_type,
    event.target_id,
    event.target_name,
    event.before_text,
    event.after_text,
    event.created_at.toISOString(),
  ]);
