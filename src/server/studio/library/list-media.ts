import { type SQL, and, eq, not, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { createdBetween } from '#server/platform/db/created-within.ts';
import type { Db } from '#server/platform/db/db.ts';
import { mediaLabels } from '#server/platform/db/collection-schema.ts';
import { assets, uploads } from '#server/platform/db/schema.ts';
import { outputOf } from '#server/accounts/people/own-work.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';
import { issueCursor } from '#server/platform/core/cursor.ts';
import { presentPage, parsePageCursor } from '#server/platform/core/list-page.ts';
import type { ItemConditions } from './collections/listed-items.ts';
import { normalizeLabel } from './labels/normalize-label.ts';
import { listCollectionMedia } from './collections/list-collection-media.ts';
import {
  type FoundMedia,
  hasFrequentLabel,
  matchesAsset,
  matchesUpload,
  type MediaFilters,
  searchAssets,
  searchUploads,
} from './search-media.ts';
import type { MediaRow } from './media-rows.ts';
import { type PresentMediaDeps, presentMedia } from './present-media.ts';
import { toSearchQuery } from '#server/platform/core/search-words.ts';

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
  const { rows, complete_since } = await findPage(deps, work, query, position);
  const page = await presentPage(deps.secrets, scope, {
    rows,
    limit: query.limit,
    position: ({ created_at, id }) => `${created_at.getTime()}.${id}`,
    present: (page) => presentMedia(deps, page),
  });
  if (page.has_more || complete_since === null) return page;
  return { ...page, has_more: true, next_cursor: issueCursor(deps.secrets, scope, `${complete_since.getTime()}.`) };
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
  const page = { limit: query.limit + 1, before, conditions: await itemConditions(deps.db, work, query) };
  return presentPage(deps.secrets, scope, {
    rows: await listCollectionMedia(deps.db, visible, work, collection_id, page),
    limit: query.limit,
    position: ({ position }) => String(position),
    present: (rows) => presentMedia(deps, rows),
  });
}

async function itemConditions(db: Db, work: WorkScope, query: ListMediaQuery): Promise<ItemConditions> {
  // The trash is no part of a collection.
  if (query.in_trash === 'true') return { asset: null, upload: null };
  const { asset, upload } = await mediaConditions(db, work, query);
  if (query.q === undefined)
    return { asset: asset && and(asset.listed, asset.more), upload: upload && and(upload.listed, upload.more) };
  const words = toSearchQuery(query.q);
  const label = await readLabel(db, work, query.q);
  const isFound = (table: typeof assets | typeof uploads, matches: (words: string) => SQL) =>
    or(words === null ? undefined : matches(words), label.has(table));
  return {
    asset: asset && and(asset.listed, asset.more, isFound(assets, matchesAsset)),
    upload: upload && and(upload.listed, upload.more, isFound(uploads, matchesUpload)),
  };
}

/** The filters of a query by kind of media; null: it leaves all of them out. */
async function mediaConditions(db: Db, work: WorkScope, query: ListMediaQuery) {
  const label = query.label === undefined ? null : await readLabel(db, work, query.label);
  const listed = (table: typeof assets | typeof uploads) =>
    and(eq(table.organization_id, work.organization_id), createdBetween(table.created_at, query));
  const kinds = (table: typeof assets | typeof uploads, ...own: (SQL | undefined)[]) => [
    query.favourite === 'true' ? sql`${table.favourite}` : undefined,
    ...own,
    query.type && eq(table.type, query.type),
    query.favourite === 'false' ? not(table.favourite) : undefined,
  ];
  const is_generated = query.task !== undefined || query.model !== undefined;
  return {
    frequent_label: label?.frequent,
    asset:
      query.origin === 'upload'
        ? null
        : filtersOf(
            listed(assets),
            kinds(assets, query.model && eq(assets.model, query.model), query.task && eq(assets.task, query.task)),
            [outputOf(work), label?.has(assets)],
          ),
    upload:
      query.origin === 'generated' || is_generated
        ? null
        : filtersOf(listed(uploads), kinds(uploads), [madeBy(uploads.created_by, work), label?.has(uploads)]),
  };
}

/** No index has two kinds together. @param kinds conditions, the rarest first; all but the last have an index */
function filtersOf(
  listed: SQL | undefined,
  kinds: readonly (SQL | undefined)[],
  more: readonly (SQL | undefined)[],
): MediaFilters {
  const [first, ...others] = kinds.filter((kind) => kind !== undefined);
  return { listed: and(listed, first), more: and(...more, ...others), is_combined: others.length > 0 };
}

/**
 * Up to one row more than the page holds, which shows whether there is another page. A page ends earlier where enough
 * items were looked at. The text of a search may be words or a label.
 */
async function findPage(
  deps: PresentMediaDeps,
  work: WorkScope,
  query: ListMediaQuery,
  position: string | undefined,
): Promise<FoundMedia> {
  const found = await findMatches(deps, work, query, position);
  if (query.q === undefined || query.label !== undefined) return found;
  const labeled = await findMatches(deps, work, { ...query, q: undefined, label: query.q }, position);
  return mergeFound([found, labeled], query.limit + 1);
}

async function findMatches(
  { db }: PresentMediaDeps,
  work: WorkScope,
  query: ListMediaQuery,
  position: string | undefined,
): Promise<FoundMedia> {
  const words = query.q === undefined ? undefined : toSearchQuery(query.q);
  if (words === null) return NOTHING;
  const { organization_id, person_id } = work;
  const { asset, upload, frequent_label } = await mediaConditions(db, work, query);
  const search = (table: typeof assets | typeof uploads, { listed, ...filters }: MediaFilters) => ({
    ...filters,
    organization_id,
    person_id,
    words,
    frequent_label,
    listed: and(listed, position === undefined ? undefined : beforePosition(table, position)),
    until: position === undefined ? undefined : new Date(Number(position.split('.')[0])),
    limit: query.limit + 1,
    in_trash: query.in_trash === 'true',
  });
  const found = [
    asset === null ? NOTHING : await searchAssets(db, search(assets, asset)),
    upload === null ? NOTHING : await searchUploads(db, search(uploads, upload)),
  ];
  return mergeFound(found, query.limit + 1);
}

/** Newest first, each once, from the time on at which all are complete. */
function mergeFound(found: readonly FoundMedia[], limit: number): FoundMedia {
  const times = found.flatMap(({ complete_since }) => complete_since?.getTime() ?? []);
  const complete_since = times.length === 0 ? null : new Date(Math.max(...times));
  const rows = new Map(found.flatMap((media) => media.rows).map((row) => [row.id, row]));
  const complete = [...rows.values()].filter(
    ({ created_at }) => complete_since === null || created_at >= complete_since,
  );
  return { rows: complete.sort(compareNewestFirst).slice(0, limit), complete_since };
}

const NOTHING: FoundMedia = { rows: [], complete_since: null };

/** Media with a label that are looked up by id. */
const MAX_LABELED = 1_000;

/** An invalid label matches nothing. */
async function readLabel(db: Db, { organization_id }: WorkScope, text: string) {
  const label = normalizeLabel(text) ?? '';
  const rows = await db
    .select({ id: mediaLabels.media_id })
    .from(mediaLabels)
    .where(and(eq(mediaLabels.organization_id, organization_id), eq(mediaLabels.label, label)))
    .limit(MAX_LABELED + 1);
  if (rows.length > MAX_LABELED)
    return {
      frequent: label,
      has: (table: typeof assets | typeof uploads) => hasFrequentLabel(table, { organization_id, label }),
    };
  const ids = rows.map(({ id }) => id);
  return {
    frequent: undefined,
    has: (table: typeof assets | typeof uploads) =>
      sql`${table.id} = any(array(select unnest(${sql.param(ids)}::text[])))`,
  };
}

function beforePosition(table: typeof assets | typeof uploads, position: string): SQL {
  const [time = '', id = ''] = position.split('.');
  return sql`(${table.created_at}, ${table.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`;
}

const compareNewestFirst = (a: MediaRow, b: MediaRow): number =>
  b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);
