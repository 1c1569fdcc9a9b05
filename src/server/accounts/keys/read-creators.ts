import { eq, inArray } from 'drizzle-orm';
import type { Creator } from '#contract/primitives.ts';
import type { Deps } from '#server/platform/deps.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';

/**
 * Reads who created the objects of a page, with one query. Decision: Creators
 * @param keyIds their `created_by`
 * @returns the creator of such an id
 */
export async function readCreators(
  { db }: { db: Pick<Deps['db'], 'select'> },
  keyIds: readonly string[],
): Promise<(keyId: string) => Creator> {
  const ids = [...new Set(keyIds)];
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({ id: apiKeys.id, name: apiKeys.name, person: { id: people.id, name: people.name } })
          .from(apiKeys)
          .leftJoin(people, eq(people.id, apiKeys.person_id))
          .where(inArray(apiKeys.id, ids));
  const creators = new Map(rows.map((row) => [row.id, row]));
  return (key_id) => creators.get(key_id) ?? { id: key_id, name: '', person: null };
}
