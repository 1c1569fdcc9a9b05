import { and, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { assets } from '#server/platform/db/schema/schema.ts';

/**
 * Numbers a source among those of the same name, so that no two of them give their files the same name. Locks the name
 * until the end of the transaction.
 */
export async function numberSource(
  tx: Tx,
  { organization_id, source_name, source_id }: { organization_id: string; source_name: string; source_id: string },
): Promise<number> {
  const lock = `source ${organization_id} ${source_name}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const [numbers] = await tx
    .select({
      own: sql<number | null>`max(${assets.source_number}) filter (where ${assets.source_id} = ${source_id})`,
      most: sql<number | null>`max(${assets.source_number}) filter (where ${assets.source_id} is not null)`,
    })
    .from(assets)
    .where(and(eq(assets.organization_id, organization_id), eq(assets.source_name, source_name)));
  return numbers?.own ?? (numbers?.most ?? 0) + 1;
}
