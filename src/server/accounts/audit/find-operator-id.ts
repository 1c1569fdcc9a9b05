import { asc } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';

/** Returns the organization that was created with the installation; null: none yet. */
export async function findOperatorId(db: Pick<Db, 'select'>): Promise<string | null> {
  const [first] = await db.select({ id: organizations.id }).from(organizations).orderBy(asc(organizations.id)).limit(1);
  return first?.id ?? null;
}
