import { and, desc, eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';

/** Ids have a digit, and neither blanks nor the length of a word; words are not looked up. */
const REQUEST_ID = /^(?=\D{0,200}\d)[\x21-\x7e]{8,200}$/;

/** The generation whose job a provider names so, for callers with `costs.read`; null if there is none. Decision: Search */
export async function findByRequestId(
  db: Pick<Db, 'select'>,
  organizationId: string,
  text: string | undefined,
): Promise<string | null> {
  const requestId = text?.trim() ?? '';
  if (!REQUEST_ID.test(requestId)) return null;
  const [row] = await db
    .select({ id: generations.id })
    .from(upstreamJobs)
    .innerJoin(generations, eq(generations.id, upstreamJobs.generation_id))
    .where(and(eq(upstreamJobs.request_id, requestId), eq(generations.organization_id, organizationId)))
    .orderBy(desc(generations.created_at))
    .limit(1);
  return row?.id ?? null;
}
