import type { Deps } from '#server/platform/deps.ts';
import { and, eq } from 'drizzle-orm';
import { MAX_MEDIA_NAME_LENGTH } from '#contract/limits.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import { toGivenName } from '#server/studio/assets/media-name.ts';
import { indexMedia } from '#server/studio/assets/search-text.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { fileExtension } from '#server/platform/core/file-names.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import { presentMedia } from './present-media.ts';
import { findMediaRow } from './read-media.ts';

/**
 * Sets the name of a file; its extension stays that of its type.
 * @throws {ApiError} 404 `not_found`; 422 `invalid_request` for a name that no file could have
 */
export async function renameMedia(deps: Deps, organizationId: string, id: string, text: string): Promise<MediaItem> {
  const { storage_key, generation } = await findMediaRow(deps.db, organizationId, id);
  const extension = fileExtension(storage_key);
  const name = toGivenName(text, extension);
  if (name === null) throw nameError('Enter a name with visible characters.');
  if (name === 'too_long') throw nameError(`Enter a name of at most ${MAX_MEDIA_NAME_LENGTH} characters.`);
  const filename = `${name}${extension}`;
  await deps.db.transaction(async (tx) => {
    const table = generation ? assets : uploads;
    await tx
      .update(table)
      .set({ filename })
      .where(and(eq(table.id, id), eq(table.organization_id, organizationId)));
    await indexMedia(deps, tx, [{ id, generation_id: generation?.id ?? null }]);
  });
  const [item] = await presentMedia(deps, [await findMediaRow(deps.db, organizationId, id)]);
  if (!item) throw new Error('The medium was not presented.');
  return item;
}

const nameError = (message: string): ApiError =>
  new ApiError('invalid_request', message, { status: 422, details: [{ path: 'name', message }] });
