import { and, isNull, lt, notExists, sql, ne } from 'drizzle-orm';
import { providerCredentials } from '#server/platform/db/schema/provider-schema.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Another process may send jobs with a key until it has read the change. */
const GRACE_PERIOD_MS = 60_000;

/** Deletes replaced keys and keys of disconnected providers once no unfinished job needs them. */
export async function deleteRetiredKeys({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  const enginePrefix = sql`${providerCredentials.connection_id} || '.' || ${providerCredentials.version} || '/%'`;
  const unfinishedJobs = db
    .select({ generation_id: upstreamJobs.generation_id })
    .from(upstreamJobs)
    .where(and(ne(upstreamJobs.state, 'ended'), sql`${upstreamJobs.engine} like ${enginePrefix}`));
  await db
    .update(providerCredentials)
    .set({ sealed_key: null, deleted_at: now })
    .where(
      and(
        lt(providerCredentials.retired_at, new Date(now.getTime() - GRACE_PERIOD_MS)),
        isNull(providerCredentials.deleted_at),
        notExists(unfinishedJobs),
      ),
    );
}
