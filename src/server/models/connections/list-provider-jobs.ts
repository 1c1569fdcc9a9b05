import type { Db } from '#server/platform/db/db.ts';
import { and, asc, eq, like, ne } from 'drizzle-orm';
import type { ProviderJob } from '#contract/resources/provider.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';

const MAX_JOBS = 100;

/** Unfinished jobs of an organization at a provider, oldest first. */
export async function listProviderJobs(db: Db, organizationId: string, connectionId: string): Promise<ProviderJob[]> {
  const rows = await db
    .select({
      generation_id: generations.id,
      task: generations.task,
      model: generations.model,
      submitted_at: upstreamJobs.submitted_at,
    })
    .from(upstreamJobs)
    .innerJoin(generations, eq(generations.id, upstreamJobs.generation_id))
    .where(
      and(
        like(upstreamJobs.engine, `${connectionId}.%`),
        ne(upstreamJobs.state, 'ended'),
        eq(generations.organization_id, organizationId),
      ),
    )
    .orderBy(asc(upstreamJobs.submitted_at))
    .limit(MAX_JOBS);
  return rows.map(({ submitted_at, ...row }) => ({
    object: 'provider_job' as const,
    ...row,
    submitted_at: submitted_at.toISOString(),
  }));
}
