import { type SQL, and, eq, inArray, not, sql } from 'drizzle-orm';
import type { QueryOf } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { createdWithin } from '../billing/created-within.ts';
import { generationWords, uploadWords } from '../db/library-schema.ts';
import { assets, uploads } from '../db/schema.ts';
import { listPage, positionOf } from '../list-page.ts';
import { EXCERPT, type MediaRow, selectAssets, selectUploads } from './media-rows.ts';
import { type PresentingMedia, presentMedia } from './present-media.ts';
import { wordsAsked } from './words.ts';

type Query = QueryOf<'list_media'>;

/**
 * A page of everything that an organization uploaded and made, newest first.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was not issued
 */
export async function listMedia(
  deps: PresentingMedia,
  organization_id: string,
  query: Query,
): Promise<List<MediaItem>> {
  const scope = { organization_id, list: 'media' } as const;
  const position = positionOf(deps.secrets, scope, query.cursor);
  const rows = await findPage(deps, organization_id, query, position);
  return listPage(deps.secrets, scope, {
    rows,
    limit: query.limit,
    position: ({ created_at, id }) => `${created_at.getTime()}.${id}`,
    present: (page) => presentMedia(deps, page),
  });
}

/** One row more than the page holds, where there are as many. */
async function findPage(
  { db }: PresentingMedia,
  organization_id: string,
  query: Query,
  position: string | undefined,
): Promise<MediaRow[]> {
  const asked = query.q === undefined ? undefined : wordsAsked(query.q);
  if (asked === null) return [];
  const limit = query.limit + 1;
  const common = (table: typeof assets | typeof uploads) =>
    and(
      eq(table.organization_id, organization_id),
      position === undefined ? undefined : before(table, position),
      query.type && eq(table.type, query.type),
      query.favourite === undefined ? undefined : query.favourite === 'true' ? table.favourite : not(table.favourite),
      createdWithin(table.created_at, query),
    );
  const of_assets = and(
    common(assets),
    query.task && eq(assets.task, query.task),
    query.model && eq(assets.model, query.model),
    asked === undefined ? undefined : inArray(assets.generation_id, generationsThatSay(db, asked)),
  );
  const of_uploads = and(
    common(uploads),
    asked === undefined ? undefined : inArray(uploads.id, uploadsNamed(db, asked)),
  );
  const made_here = query.task !== undefined || query.model !== undefined;
  const rows = [
    ...(query.origin === 'upload' ? [] : await selectAssets(db, of_assets, { limit, prompt: EXCERPT })),
    ...(query.origin === 'generated' || made_here ? [] : await selectUploads(db, of_uploads, limit)),
  ];
  return rows.sort(newestFirst).slice(0, limit);
}

function before(table: typeof assets | typeof uploads, position: string): SQL {
  const [time = '', id = ''] = position.split('.');
  return sql`(${table.created_at}, ${table.id}) < (${new Date(Number(time)).toISOString()}::timestamptz, ${id})`;
}

const newestFirst = (a: MediaRow, b: MediaRow): number =>
  b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1);

const generationsThatSay = (db: PresentingMedia['db'], words: string) =>
  db
    .select({ id: generationWords.generation_id })
    .from(generationWords)
    .where(sql`${generationWords.words} @@ ${words}::tsquery`);

const uploadsNamed = (db: PresentingMedia['db'], words: string) =>
  db
    .select({ id: uploadWords.upload_id })
    .from(uploadWords)
    .where(sql`${uploadWords.words} @@ ${words}::tsquery`);
