import { type SQL, and, desc, eq, lt, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { createdBetween } from '#server/db/created-within.ts';
import type { Deps } from '#server/deps.ts';
import { generationListColumns } from '#server/db/generation-list-columns.ts';
import { generations } from '#server/db/schema.ts';
import { generationTags } from '#server/db/tag-schema.ts';
import { parseTags } from '#server/billing/spending-scope.ts';
import { madeBy, type WorkScope } from '#server/db/work-scope.ts';
import { parsePageCursor, readSizedPage } from '#server/core/list-page.ts';
import { type PresentDeps, presentGenerations } from './present-generation.ts';

const UNKNOWN_CURSOR_ERROR = {
  status: 422,
  details: [{ path: 'cursor', message: 'Invalid cursor. Start again from the first page.' }],
} as const;

/**
 * A page of an organization's generations, newest first. Long inputs are truncated; `readGeneration` returns them whole.
 * @throws {ApiError} 422 `invalid_request` for an invalid cursor: this endpoint lists no 400
 */
export async function listGenerations(
  deps: PresentDeps & Pick<Deps, 'db'>,
  work: WorkScope,
  query: QueryOf<'list_generations'>,
): Promise<List<Generation>> {
  const { organization_id } = work;
  const scope = { organization_id, list: 'generations' } as const;
  const filter = and(
    eq(generations.organization_id, organization_id),
    madeBy(generations.created_by, work),
    query.status && eq(generations.status, query.status),
    query.task && eq(generations.task, query.task),
    query.model && eq(generations.model, query.model),
    query.batch_id === undefined ? undefined : eq(generations.batch_id, query.batch_id),
    createdBetween(generations.created_at, query),
    query.q === undefined ? undefined : matchesText(query.q),
    ...[...parseTags(query.tags)].map(hasTag),
  );
  return readSizedPage(deps.secrets, scope, {
    limit: query.limit,
    after: parsePageCursor(deps.secrets, scope, query.cursor, UNKNOWN_CURSOR_ERROR),
    read: (before, count) =>
      deps.db
        .select({ generation: generationListColumns })
        .from(generations)
        .where(and(filter, before === undefined ? undefined : lt(generations.id, before)))
        .orderBy(desc(generations.id))
        .limit(count),
    position: ({ generation }) => generation.id,
    present: (page) => presentGenerations(deps, page),
  });
}

function hasTag([name, value]: [string, string | null]): SQL {
  const { organization_id, id } = generations;
  return value === null
    ? sql`not ${generations.tags} ? ${name}`
    : sql`exists (select from ${generationTags} as tag where tag.organization_id = ${organization_id}
        and tag.name = ${name} and tag.value = ${value} and tag.generation_id = ${id})`;
}

/** Matches text in the excerpt of the prompt or query that lists show; ignores case, and takes `%` and `_` literally. */
function matchesText(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const { input } = generationListColumns;
  return or(sql`${input}->>'prompt' ilike ${pattern}`, sql`${input}->>'query' ilike ${pattern}`);
}
