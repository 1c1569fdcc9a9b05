import { type SQL, and, arrayOverlaps, eq, sql } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { requests } from '#server/platform/db/schema/request-schema.ts';
import type { assets, uploads } from '#server/platform/db/schema/schema.ts';

/** Written as a literal, because only then PostgreSQL uses the partial index on requests that wait. */
const IS_PENDING = sql`${requests.status} = 'pending'`;

/** Whether no order that waits for an approval references a medium. Decision: Approvals */
export const isNotAwaited = (id: typeof uploads.id | typeof assets.id): SQL =>
  sql`not exists (select 1 from ${requests} where ${IS_PENDING} and ${id} = any (${requests.media_ids}))`;

/** Returns which of these media an order that waits for an approval references. Lock the media first. */
export async function findAwaitedMedia(
  tx: Tx,
  organizationId: string,
  mediaIds: readonly string[],
): Promise<Set<string>> {
  if (mediaIds.length === 0) return new Set();
  const rows = await tx
    .select({ media_ids: requests.media_ids })
    .from(requests)
    .where(
      and(eq(requests.organization_id, organizationId), IS_PENDING, arrayOverlaps(requests.media_ids, [...mediaIds])),
    );
  const awaited = new Set(rows.flatMap((row) => row.media_ids));
  return new Set(mediaIds.filter((id) => awaited.has(id)));
}
