import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { findByRequestId } from '#server/accounts/billing/find-by-request-id.ts';
import { parseTags } from '#server/accounts/billing/reports/spending-scope.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parsePageCursor, readSizedPage } from '#server/platform/core/list-page.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { WorkScope } from '#server/platform/db/work-scope.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findGenerations } from './find-generations.ts';
import { formatPlace, parsePlace, type Place, type Sorting } from './sort-generations.ts';
import { presentGenerations } from './present-generation.ts';

const UNKNOWN_CURSOR_ERROR = {
  status: 422,
  details: [{ path: 'cursor', message: 'Invalid cursor. Start again from the first page.' }],
} as const;

/**
 * A page of an organization's generations, newest first or sorted. Long inputs are truncated; `readGeneration` returns them whole.
 * Decision: Lists, Search
 * @param work `seesCosts`: with `costs.read`, so that `q` may also be the id of a job at its provider
 * @throws {ApiError} 422 `invalid_request` for an invalid cursor: this endpoint lists no 400
 */
export async function listGenerations(
  deps: Deps,
  { seesCosts = false, ...work }: WorkScope & { seesCosts?: boolean },
  {
    limit,
    cursor,
    created_after,
    created_before,
    tags,
    sort = 'created_at',
    order = 'desc',
    ...query
  }: QueryOf<'list_generations'>,
): Promise<List<Generation>> {
  const scope = { organization_id: work.organization_id, list: 'generations' } as const;
  const requested = seesCosts ? await findByRequestId(deps.db, work.organization_id, query.q) : null;
  const filter = {
    ...query,
    ...(requested === null ? {} : { id: requested, q: undefined }),
    ...work,
    tags: parseTags(tags),
    created_after: created_after === undefined ? undefined : parseQueryTime(created_after),
    created_before: created_before === undefined ? undefined : parseQueryTime(created_before),
  };
  const sorting = { sort, order };
  return readSizedPage(deps.secrets, scope, {
    limit,
    after: parsePageCursor(deps.secrets, scope, cursor, UNKNOWN_CURSOR_ERROR),
    read: (position, count) =>
      findGenerations(deps.db, filter, sorting, {
        after: position === undefined ? undefined : readPlace(sorting, position),
        count,
      }),
    position: ({ generation }) => formatPlace(sorting, generation),
    present: (page) => presentGenerations(deps, page),
  });
}

function readPlace(sorting: Sorting, position: string): Place {
  const place = parsePlace(sorting, position);
  if (place) return place;
  throw new ApiError('invalid_request', 'The cursor is of another order. Start again from the first page.', {
    status: 422,
    details: [{ path: 'cursor', message: 'The cursor is of another order. Start again from the first page.' }],
  });
}
