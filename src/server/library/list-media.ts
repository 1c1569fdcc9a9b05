import { type SQL, and, eq, not, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { createdBetween } from '#server/db/created-within.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { outputOf } from '#server/people/own-work.ts';
import { madeBy, type WorkScope } from '#server/db/work-scope.ts';
import { presentPage, parsePageCursor } from '#server/core/list-page.ts';
import { searchAssets, searchUploads } from './search-media.ts';
import type { MediaRow } from './media-rows.ts';
import { type PresentMediaDeps, presentMedia } from './present-media.ts';
import { toSearchQuery } from '#server/core/search-words.ts';

type ListMediaQuery = QueryOf<'list_media'>;

/** A page of an organization's uploads and assets, newest first. @throws {ApiError} 400 `invalid_request` for an invalid cursor */
export async function listMedia(
  deps: PresentMediaDeps,
  work: WorkScope,
  query: ListMediaQuery,
): Promise<List<MediaItem>> {
  const { organization_id } = work;
  const scope = { organization_id, list: 'media' } as const;
  const position = parsePageCursor(deps.secrets, scope, query.cursor);
  const rows = await findPage(deps, work, query, position);
  return presentPage(deps.secrets, scope, {
    rows,
    limit: query.limit,
    position: ({ created_at, id }) => `${created_at.getTime()}.${id}`,
    present: (page) => presentMedia(deps, page),
  });
}

/** Up to one row more than the page holds, which shows whether there is another page. */
async function findPage(
  { db }: PresentMediaDeps,
  work: WorkScope,
  query: ListMediaQuery,
  position: string | undefined,
): Promise<MediaRow[]> {
  const words = query.q === undefined ? undefined : toSearchQuery(query.q);
  if (words === null) return [];
  const limit = query.limit + 1;
  const place = { in_trash: query.in_trash === 'true' };
  const common = (table: typeof assets | typeof uploads) =>
    and(
      eq(table.organization_id, work.organization_id),
      position === undefined ? undefined : beforePosition(table, position),
      query.type && eq(table.type, query.type),
      query.favourite === undefined ? undefined : query.favourite === 'true' ? table.favourite : not(table.favourite),
      createdBetween(table.created_at, query),
    );
  const task_filter = and(
    outputOf(work),
    query.task && eq(assets.task, query.task),
    query.model && eq(assets.model, query.model),
  );
  const is_generated = query.task !== undefined || query.model !== undefined;
  const rows = [
    ...(query.origin === 'upload' ? [] : await searchAssets(db, and(common(assets), task_filter), words, limit, place)),
    ...(query.origin === 'generated' || is_generated
      ? []
      : await searchUploads(db, and(common(uploads), madeBy(uploads.created_by, work)), words, limit, place)),
  ];
  return rows.sort(compareNewestFirst).slice(0, limit);
}

function beforePosition(table: typeof assets | typeof uploads, position: string): SQL {
  const [time = '', id = ''] = position.split('.');
  return sql`(${table.created_at}, ${table.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`;
}

const compareNewestFirst = (a: MediaRow, b: MediaRow): number =>
  b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
