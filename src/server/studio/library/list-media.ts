import type { Deps } from '#server/platform/deps.ts';
import { type SQL, and, eq, not, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { createdBetween } from '#server/platform/db/created-within.ts';
import { findByWords } from '#server/platform/db/find-by-words.ts';
import { hasWords } from '#server/platform/db/schema/library-schema.ts';
import { assets, generations, uploads } from '#server/platform/db/schema/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS } from '#server/platform/db/select-prompt.ts';
import { madeByKeysOf, type WorkScope } from '#server/platform/db/work-scope.ts';
import { parseTags } from '#server/accounts/billing/reports/spending-scope.ts';
import { hasTag } from '#server/studio/generations/read/tag-condition.ts';
import { presentPage, parsePageCursor } from '#server/platform/core/list-page.ts';
import { toSearchQuery } from '#server/platform/core/search-words.ts';
import type { ItemConditions } from './collections/listed-items.ts';
import { listCollectionMedia } from './collections/list-collection-media.ts';
import { findMediaUses } from '#server/studio/assets/media-uses.ts';
import { hasLabel } from '#server/studio/assets/label-filter.ts';
import { type MediaRow, selectAssets, selectUploads } from './media-rows.ts';
import { presentMedia } from './present-media.ts';
import { hasAnswer } from './shares/read-answers.ts';

type ListMediaQuery = QueryOf<'list_media'>;

/**
 * A page of an organization's uploads and assets, newest first; of a collection, those added last first.
 * @param work whose media are wanted
 * @param visible what the caller sees
 * @throws {ApiError} 400 `invalid_request` for an invalid cursor
 */
export async function listMedia(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'secrets'>,
  work: WorkScope,
  query: ListMediaQuery,
  visible: WorkScope = work,
): Promise<List<MediaItem>> {
  if (query.collection_id !== undefined) return listMediaOf(deps, work, query, query.collection_id, visible);
  const scope = { organization_id: work.organization_id, list: 'media' } as const;
  return presentPage(deps.secrets, scope, {
    rows: await findMedia(deps, work, query, parsePageCursor(deps.secrets, scope, query.cursor)),
    limit: query.limit,
    position: ({ created_at, id }) => `${created_at.getTime()}.${id}`,
    present: (rows) => presentListed(deps, query, rows),
  });
}

/** Counts the uses of uploads, which people look at before they delete some. */
async function presentListed(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'secrets'>,
  { origin, share_id }: ListMediaQuery,
  rows: readonly MediaRow[],
): Promise<MediaItem[]> {
  const media = await presentMedia(deps, rows, { share_id });
  const [first] = rows;
  if (origin !== 'upload' || !first) return media;
  const ids = media.map(({ id }) => id);
  const uses = await findMediaUses(deps.db, first.organization_id, ids);
  return media.map((item) => ({ ...item, used_by_count: uses.get(item.id)?.count ?? 0 }));
}

async function listMediaOf(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'secrets'>,
  work: WorkScope,
  query: ListMediaQuery,
  collectionId: string,
  visible: WorkScope,
): Promise<List<MediaItem>> {
  const scope = { organization_id: work.organization_id, list: 'collection_media' } as const;
  const before = parsePageCursor(deps.secrets, scope, query.cursor);
  const page = { limit: query.limit + 1, before, conditions: itemConditions(work, query) };
  return presentPage(deps.secrets, scope, {
    rows: await listCollectionMedia(deps.db, visible, work, collectionId, page),
    limit: query.limit,
    position: ({ position }) => String(position),
    present: (rows) => presentListed(deps, query, rows),
  });
}

function itemConditions(work: WorkScope, query: ListMediaQuery): ItemConditions {
  // The trash is no part of a collection.
  if (query.in_trash === 'true') return { asset: null, upload: null };
  const { asset, upload } = mediaConditions(work, query);
  if (query.q === undefined) return { asset, upload };
  const words = toSearchQuery(query.q);
  return {
    asset: asset && and(asset, hasWords('asset', assets.id, words)),
    upload: upload && and(upload, hasWords('upload', uploads.id, words)),
  };
}

/** The filters of a query, by kind of media; null: they leave all of them out. */
function mediaConditions(work: WorkScope, query: ListMediaQuery): ItemConditions {
  const ofBoth = (table: typeof assets | typeof uploads) =>
    and(
      eq(table.organization_id, work.organization_id),
      createdBetween(table.created_at, query),
      query.type && eq(table.type, query.type),
      query.favourite === 'true' ? sql`${table.favourite}` : undefined,
      query.favourite === 'false' ? not(table.favourite) : undefined,
      query.label === undefined ? undefined : hasLabel(table.id, work.organization_id, query.label),
      query.client_answer || query.share_id ? hasAnswer(table, work.organization_id, query) : undefined,
    );
  const { task, model, origin } = query;
  const tags = parseTags(query.tags);
  const isGenerated = origin === 'generated' || task !== undefined || model !== undefined || tags.size > 0;
  return {
    asset:
      origin === 'upload'
        ? null
        : and(
            ofBoth(assets),
            task && eq(assets.task, task),
            model && eq(assets.model, model),
            ...[...tags].map((tag) => hasTag(work.organization_id, assets.generation_id, tag)),
          ),
    upload: isGenerated ? null : ofBoth(uploads),
  };
}

/** Up to one row more than the page holds, which shows whether there is another page. */
async function findMedia(
  { db }: Pick<Deps, 'config' | 'db' | 'clock' | 'secrets'>,
  work: WorkScope,
  query: ListMediaQuery,
  position: string | undefined,
): Promise<MediaRow[]> {
  const limit = query.limit + 1;
  const place = { in_trash: query.in_trash === 'true' };
  const { asset, upload } = mediaConditions(work, query);
  const before = (table: typeof assets | typeof uploads) =>
    position === undefined ? undefined : beforePosition(table, position);
  const ofAssets = asset && and(asset, before(assets), await madeByKeysOf(db, generations.created_by, work));
  const ofUploads = upload && and(upload, before(uploads), await madeByKeysOf(db, uploads.created_by, work));
  const selectFrom = {
    asset: (where: SQL | undefined) =>
      selectAssets(db, and(ofAssets ?? undefined, where), { limit, prompt: PROMPT_EXCERPT_CHARACTERS, ...place }),
    upload: (where: SQL | undefined) => selectUploads(db, and(ofUploads ?? undefined, where), limit, place),
  };
  const words = query.q === undefined ? undefined : toSearchQuery(query.q);
  // An upload at an address that was given out before has an id older than its time.
  const ofAsset = { kind: 'asset', id: assets.id, newestFirst: { count: limit } } as const;
  const ofUpload = { kind: 'upload', id: uploads.id } as const;
  const select = (search: typeof ofAsset | typeof ofUpload) =>
    words === undefined
      ? selectFrom[search.kind](undefined)
      : findByWords(db, { ...search, words }, selectFrom[search.kind]);
  const rows = [
    ...(ofAssets === null ? [] : await select(ofAsset)),
    ...(ofUploads === null ? [] : await select(ofUpload)),
  ];
  return rows.sort(compareNewestFirst).slice(0, limit);
}

function beforePosition(table: typeof assets | typeof uploads, position: string): SQL {
  const [time = '', id = ''] = position.split('.');
  return sql`(${table.created_at}, ${table.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`;
}

const compareNewestFirst = (a: MediaRow, b: MediaRow): number =>
  b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
