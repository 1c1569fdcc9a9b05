import { findContract, type ModelRef } from '#contract/model-catalog.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { mediaUses } from '#server/platform/db/schema/library-schema.ts';
import type { generations } from '#server/platform/db/schema/schema.ts';
import { MEDIA_GONE_MESSAGE } from './find-stored-media.ts';
import { extractReferences } from '#contract/task-input.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { parseLocalMediaUrl } from './media-links.ts';
import { lockMedia } from './lock-media.ts';

type UsingGeneration = Pick<
  typeof generations.$inferSelect,
  'id' | 'organization_id' | 'task' | 'model' | 'model_version' | 'input'
>;
type MediaUse = typeof mediaUses.$inferInsert;

/** Returns the media of this service that a generation is going to use, by their fields. */
function findUsedMedia(
  deps: Deps,
  ref: ModelRef,
  input: UsingGeneration['input'],
): { field: string; media_id: string }[] {
  const contract = findContract(deps.offering.current(), ref);
  return (contract ? extractReferences(contract, input) : []).flatMap(({ path, url }) => {
    const own = parseLocalMediaUrl(deps, url);
    return own ? [{ field: path, media_id: own.id }] : [];
  });
}

/**
 * Protects the media that a generation is going to use from deletion. Store the uses with the generation.
 * @throws {ApiError} 400 `invalid_request` if one was deleted since the validation
 */
export async function lockUsedMedia(
  deps: Deps,
  tx: Tx,
  { id, organization_id, input, ...ref }: UsingGeneration,
): Promise<MediaUse[]> {
  const localReferences = findUsedMedia(deps, ref, input);
  if (localReferences.length === 0) return [];
  const locked = await lockMedia(
    tx,
    organization_id,
    localReferences.map(({ media_id }) => media_id),
    'key share',
  );
  const types = new Map(locked.map(({ id, type }) => [id, type]));
  return localReferences.map(({ field, media_id }) => {
    const mediaType = types.get(media_id);
    if (!mediaType) throw mediaGoneError(field);
    return { generation_id: id, field, organization_id, media_id, media_type: mediaType };
  });
}

const mediaGoneError = (field: string) =>
  new ApiError('invalid_request', MEDIA_GONE_MESSAGE, {
    status: 400,
    details: [{ path: `input.${field}`, message: MEDIA_GONE_MESSAGE }],
  });
