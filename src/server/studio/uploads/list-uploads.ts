import type { Deps } from '#server/platform/deps.ts';
import { and, desc, eq, ilike, isNull, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { ListedUpload, UploadDetail } from '#contract/resources/upload.ts';
import { createdBetween } from '#server/platform/db/created-within.ts';
import { issueCursor, verifyCursor } from '#server/platform/core/cursor.ts';
import { uploads } from '#server/platform/db/schema/schema.ts';
import { madeBy, type WorkScope } from '#server/platform/db/work-scope.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { findMediaUses } from '#server/studio/assets/media-uses.ts';
import { presentUpload, presentUploads } from './present-upload.ts';

/** A page of an organization's uploads, newest first. @throws {ApiError} 400 for an invalid cursor */
export async function listUploads(
  deps: Deps,
  work: WorkScope,
  { limit, cursor, type, q, ...range }: QueryOf<'list_uploads'>,
): Promise<List<ListedUpload>> {
  const { organization_id } = work;
  const scope = { organization_id, list: 'uploads' } as const;
  const after = cursor === undefined ? undefined : verifyCursor(deps.secrets, scope, cursor);
  if (after === null)
    throw new ApiError('invalid_request', 'Invalid cursor. Start again from the first page.', { status: 400 });
  const rows = await deps.db
    .select()
    .from(uploads)
    .where(
      and(
        eq(uploads.organization_id, organization_id),
        madeBy(uploads.created_by, work),
        isNull(uploads.removed_at),
        type === undefined ? undefined : eq(uploads.type, type),
        createdBetween(uploads.created_at, range),
        q === undefined
          ? undefined
          : ilike(uploads.filename, `%${q.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`),
        after === undefined ? undefined : lt(uploads.id, after),
      ),
    )
    .orderBy(desc(uploads.id))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const presented = await presentUploads(deps, page);
  const creatorOf = await readCreators(
    deps,
    page.map(({ created_by }) => created_by),
  );
  const uses = await findMediaUses(
    deps.db,
    organization_id,
    page.map(({ id }) => id),
  );
  return {
    object: 'list',
    data: presented.map((upload, index) => ({
      ...upload,
      created_by: creatorOf(page[index]?.created_by ?? ''),
      used_by_count: uses.get(upload.id)?.count ?? 0,
    })),
    has_more: hasMore,
    next_cursor: hasMore && last ? issueCursor(deps.secrets, scope, last.id) : null,
  };
}

export async function findUpload(deps: Deps, organizationId: string, id: string): Promise<UploadDetail | null> {
  const isOwn = and(eq(uploads.organization_id, organizationId), eq(uploads.id, id), isNull(uploads.removed_at));
  const [row] = await deps.db.select().from(uploads).where(isOwn);
  if (!row) return null;
  const [upload, uses, creatorOf] = await Promise.all([
    presentUpload(deps, row),
    findMediaUses(deps.db, organizationId, [id]),
    readCreators(deps, [row.created_by]),
  ]);
  const { count = 0, active_count = 0, generation_ids = [] } = uses.get(id) ?? {};
  return { ...upload, created_by: creatorOf(row.created_by), used_by: { count, active_count, generation_ids } };
}
