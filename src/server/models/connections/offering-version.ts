import { isNull, sql } from 'drizzle-orm';
import { catalogLabels } from '#server/platform/db/catalog-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { providerConnections, providerCredentials } from '#server/platform/db/provider-schema.ts';

/**
 * Reads what changes with every change of the rows behind an offering. `xmin` is the transaction that wrote a row, so
 * the rows themselves, which may hold large workflows, are not read.
 */
export async function readOfferingVersion(db: Pick<Db, 'select'>): Promise<string> {
  const connections = sql`select string_agg(id || ' ' || xmin, ',' order by id) from ${providerConnections}`;
  const credentials = sql`select string_agg(connection_id || ' ' || version || ' ' || xmin, ',' order by connection_id, version)
    from ${providerCredentials} where ${isNull(providerCredentials.deleted_at)}`;
  const labels = sql`select string_agg(id || ' ' || xmin, ',' order by id) from ${catalogLabels}`;
  const [row] = await db
    .select({ version: sql<string>`jsonb_build_array((${connections}), (${credentials}), (${labels}))::text` })
    .from(sql`(values (1)) as one`);
  return row?.version ?? '';
}
