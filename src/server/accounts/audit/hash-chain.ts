import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { auditEvents, auditHeads } from '#server/platform/db/schema/audit-schema.ts';
import { GENESIS_HASH } from '#server/platform/db/schema/billing-schema.ts';
import { closingEntries, closingHeads } from '#server/platform/db/schema/closing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';

/**
 * Computes the hash of a chained entry like the database: SHA-256, hex, of a compact JSON array.
 * @param previousHash 64 zeros for the first entry
 */
export const chainHash = (previousHash: string, fields: readonly (string | null)[]): string =>
  createHash('sha256')
    .update(JSON.stringify([previousHash, ...fields]))
    .digest('hex');

const CHAINS = {
  audit: { entries: auditEvents, heads: auditHeads },
  closing: { entries: closingEntries, heads: closingHeads },
};

/** The end of a chain as its head has it, and the number of its newest entry. */
export async function readChainHead(db: Pick<Db, 'select'>, chain: keyof typeof CHAINS, organizationId: string) {
  const { entries, heads } = CHAINS[chain];
  const newest = sql<string>`coalesce((select max(${entries.seq}) from ${entries} where ${eq(entries.organization_id, organizationId)}), 0)::text`;
  const [row] = await db
    .select({ newest, seq: heads.last_seq, hash: heads.last_hash })
    .from(sql`(select 1) as one`)
    .leftJoin(heads, eq(heads.organization_id, organizationId));
  return { newestSeq: BigInt(row?.newest ?? 0), seq: row?.seq ?? 0n, hash: row?.hash ?? GENESIS_HASH };
}
