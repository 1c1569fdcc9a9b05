import { type SQL, and, eq, not, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { createdBetween } from '#server/db/created-within.ts';
import { mediaLabels } from '#server/db/collection-schema.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { outputOf } from '#server/people/own-work.ts';
import { madeBy, type WorkScope } from '#server/db/work-scope.ts';
import { presentPage, parsePageCursor } from '#server/core/list-page.ts';
import type { ItemConditions } from './collections/listed-items.ts';
import { normalizeLabel } from './labels/normalize-label.ts';
import { listCollectionMedia } from './collections/list-collection-media.ts';
import { matchesAsset, matchesUpload, searchAssets, searchUploads } from './search-media.ts';
import type { MediaRow } from './media-rows.ts';
import { type PresentMediaDeps, presentMedia } from './present-media.ts';
import { toSearchQuery } from '#server/core/search-words.ts';

type ListMediaQuery = QueryOf<'list_media'>;

/**
 * A page of an organization's uploads and assets, newest first; of a collection, those added last first.
 * @param work whose media are wanted
 * @param visible what the caller sees
 * @throws {ApiError} 400 `invalid_request` for an invalid cursor
 */
export async function listMedia(
  deps: PresentMediaDeps,
  work: WorkScope,
  query: ListMediaQuery,
  visible: WorkScope = work,
): Promise<List<MediaItem>> {
  if (query.collection_id !== undefined) return listMediaOf(deps, work, query, query.collection_id, visible);
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

async function listMediaOf(
  deps: PresentMediaDeps,
  work: WorkScope,
  query: ListMediaQuery,
  collection_id: string,
  visible: WorkScope,
): Promise<List<MediaItem>> {
  const scope = { organization_id: work.organization_id, list: 'collection_media' } as const;
  const before = parsePageCursor(deps.secrets, scope, query.cursor);
  const page = { limit: query.limit + 1, before, conditions: itemConditions(work, query) };
  return presentPage(deps.secrets, scope, {
    rows: await listCollectionMedia(deps.db, visible, work, collection_id, page),
    limit: query.limit,
    position: ({ position }) => String(position),
    present: (rows) => presentMedia(deps, rows),
  });
}

function itemConditions(work: WorkScope, query: ListMediaQuery): ItemConditions {
  const words = query.q === undefined ? undefined : toSearchQuery(query.q);
  // The trash is no part of a collection.
  if (words === null || query.in_trash === 'true') return { asset: null, upload: null };
  const { asset, upload } = mediaConditions(work, query);
  return {
    asset: asset === null || words === undefined ? asset : and(asset, matchesAsset(words)),
    upload: upload === null || words === undefined ? upload : and(upload, matchesUpload(words)),
  };
}

/** The filters of a query by kind of media; null: it leaves all of them out. */
function mediaConditions(work: WorkScope, query: ListMediaQuery) {
  const common = (table: typeof assets | typeof uploads) =>
    and(
      eq(table.organization_id, work.organization_id),
      query.type && eq(table.type, query.type),
      query.favourite === undefined ? undefined : query.favourite === 'true' ? table.favourite : not(table.favourite),
      createdBetween(table.created_at, query),
      query.label === undefined ? undefined : hasLabel(table, work, query.label),
    );
  const is_generated = query.task !== undefined || query.model !== undefined;
  return {
    asset:
      query.origin === 'upload'
        ? null
        : and(
            common(assets),
            outputOf(work),
            query.task && eq(assets.task, query.task),
            query.model && eq(assets.model, query.model),
          ),
    upload:
      query.origin === 'generated' || is_generated ? null : and(common(uploads), madeBy(uploads.created_by, work)),
  };
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
  const { asset, upload } = mediaConditions(work, query);
  const after = (table: typeof assets | typeof uploads) =>
    position === undefined ? undefined : beforePosition(table, position);
  const rows = [
    ...(asset === null ? [] : await searchAssets(db, and(asset, after(assets)), words, limit, place)),
    ...(upload === null ? [] : await searchUploads(db, and(upload, after(uploads)), words, limit, place)),
  ];
  return rows.sort(compareNewestFirst).slice(0, limit);
}

/** An invalid label matches nothing. */
const hasLabel = (table: typeof assets | typeof uploads, { organization_id }: WorkScope, label: string): SQL =>
  sql`${table.id} in (select ${mediaLabels.media_id} from ${mediaLabels} where ${mediaLabels.organization_id} = ${organization_id}
    and ${mediaLabels.label} = ${normalizeLabel(label) ?? ''})`;

function beforePosition(table: typeof assets | typeof uploads, position: string): SQL {
  const [time = '', id = ''] = position.split('.');
  return sql`(${table.created_at}, ${table.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`;
}

const compareNewestFirst = (a: MediaRow, b: MediaRow): number =>
  b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
