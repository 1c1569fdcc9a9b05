import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import { auditEvents, auditHeads } from '#server/platform/db/schema/audit-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type AuditRow, readAuditEvents } from './read-events.ts';

/**
 * Recomputes the chain of the audit log up to its head at the moment, in batches.
 * @returns a sentence about the first event that is wrong; null if all are right
 */
export async function findAuditProblem(
  deps: Pick<Deps, 'db'>,
  organizationId: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const head = await readHead(deps, organizationId);
  let [seq, hash] = [0n, GENESIS_HASH];
  for await (const rows of readAuditEvents(deps.db, organizationId, { after: 0n, last: head.newestSeq })) {
    signal?.throwIfAborted();
    for (const row of rows) {
      if (row.seq !== seq + 1n) return `Event ${seq + 1n} of the audit log is missing.`;
      if (row.hash !== computeAuditHash(hash, row)) return `Event ${row.seq} of the audit log was changed.`;
      ({ seq, hash } = row);
    }
  }
  if (seq === head.last_seq && hash === head.last_hash) return null;
  return `The audit log ends with event ${seq}, but ${head.last_seq} events were recorded.`;
}

async function readHead({ db }: Pick<Deps, 'db'>, organizationId: string) {
  const newest = sql<string>`coalesce((select max(${auditEvents.seq}) from ${auditEvents} where ${eq(auditEvents.organization_id, organizationId)}), 0)::text`;
  const [row] = await db
    .select({ newest, last_seq: auditHeads.last_seq, last_hash: auditHeads.last_hash })
    .from(sql`(select 1) as one`)
    .leftJoin(auditHeads, eq(auditHeads.organization_id, organizationId));
  return {
    newestSeq: BigInt(row?.newest ?? 0),
    last_seq: row?.last_seq ?? 0n,
    last_hash: row?.last_hash ?? GENESIS_HASH,
  };
}

/** Like the database function `audit_event_hash`. */
const computeAuditHash = (previousHash: string, event: AuditRow): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        previousHash,
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
      ]),
    )
    .digest('hex');
