import { and, desc, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { Person } from '#contract/resources/person.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { presentPerson } from './present-person.ts';

const STATUS_CONDITIONS = { active: isNull(people.removed_at), removed: isNotNull(people.removed_at) } as const;

/** @throws {ApiError} 400 `invalid_request` for a cursor that was never issued */
export async function listPeople(
  { db, secrets }: Deps,
  organizationId: string,
  { limit, cursor, status }: QueryOf<'list_people'>,
): Promise<List<Person>> {
  const scope = { organization_id: organizationId, list: 'people' } as const;
  const before = parsePageCursor(secrets, scope, cursor);
  const rows = await db
    .select()
    .from(people)
    .where(
      and(
        eq(people.organization_id, organizationId),
        status && STATUS_CONDITIONS[status],
        before === undefined ? undefined : lt(people.id, before),
      ),
    )
    .orderBy(desc(people.id))
    .limit(limit + 1);
  return presentPage(secrets, scope, {
    rows,
    limit,
    position: ({ id }) => id,
    present: (page) => page.map(presentPerson),
  });
}
