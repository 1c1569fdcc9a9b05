import type { Db } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { MediaDetail } from '#contract/resources/media.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { MAX_PROMPT_CHARACTERS } from '#server/platform/db/select-prompt.ts';
import { type MediaRow, findMediaRows } from './media-rows.ts';
import { presentMedia } from './present-media.ts';
import { findMediaUses } from '#server/studio/assets/media-uses.ts';

const mediaNotFoundError = () => new ApiError('not_found', 'This file does not exist or was deleted.');

/** @throws {ApiError} 404 `not_found`, also for a medium of another organization */
export async function findMediaRow(db: Db, organizationId: string, id: string, prompt?: number): Promise<MediaRow> {
  const row = (await findMediaRows(db, organizationId, [id], prompt)).get(id);
  if (row) return row;
  throw mediaNotFoundError();
}

/** A medium with its whole prompt and its uses. @throws {ApiError} 404 `not_found` */
export async function readMedia(deps: Deps, organizationId: string, id: string): Promise<MediaDetail> {
  const row = await findMediaRow(deps.db, organizationId, id, MAX_PROMPT_CHARACTERS);
  const [[item], uses] = await Promise.all([presentMedia(deps, [row]), findMediaUses(deps.db, organizationId, [id])]);
  if (!item) throw new Error('The medium was not presented.');
  const { count = 0, active_count = 0, generation_ids = [] } = uses.get(id) ?? {};
  return {
    ...item,
    sha256: row.sha256,
    used_by: { count, active_count, generation_ids },
  };
}
