import { inputContract } from '#contract/catalog.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import { mediaUses } from '#server/db/library-schema.ts';
import type { generations } from '#server/db/schema.ts';
import { MEDIA_GONE_MESSAGE } from './find-local-media.ts';
import { extractReferences } from '#contract/extract-references.ts';
import { ApiError } from '#server/core/api-error.ts';
import { parseLocalMediaUrl } from './media-links.ts';
import { lockMedia } from './lock-media.ts';

type UsingGeneration = Pick<typeof generations.$inferSelect, 'id' | 'organization_id' | 'task' | 'model' | 'input'>;

/**
 * Notes which of the organization's media a new generation takes, in the transaction that places it: from then on
 * nobody deletes them under it.
 * @throws {ApiError} 400 `invalid_request` where one was deleted since the order was judged
 */
export async function recordMediaUses(
  deps: Pick<Deps, 'config' | 'clock' | 'secrets'>,
  tx: Tx,
  { id, organization_id, task, model, input }: UsingGeneration,
): Promise<void> {
  const contract = inputContract(task, model);
  const taken = (contract ? extractReferences(contract, input) : []).flatMap(({ path, url }) => {
    const own = parseLocalMediaUrl(deps, url);
    return own ? [{ field: path, media_id: own.id }] : [];
  });
  if (taken.length === 0) return;
  const there = await lockMedia(
    tx,
    organization_id,
    taken.map(({ media_id }) => media_id),
    'key share',
  );
  const types = new Map(there.map(({ id, type }) => [id, type]));
  const uses = taken.map(({ field, media_id }) => {
    const media_type = types.get(media_id);
    if (!media_type) throw mediaGoneError(field);
    return { generation_id: id, field, organization_id, media_id, media_type };
  });
  await tx.insert(mediaUses).values(uses);
}

const mediaGoneError = (field: string) =>
  new ApiError('invalid_request', MEDIA_GONE_MESSAGE, {
    status: 400,
    details: [{ path: `input.${field}`, message: MEDIA_GONE_MESSAGE }],
  });
