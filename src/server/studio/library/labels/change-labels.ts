import { and, eq, inArray } from 'drizzle-orm';
import type { BodyOf } from '#contract/api/endpoints.ts';
import { MAX_LABELS_PER_MEDIA } from '#contract/limits.ts';
import type { MediaLabelChange } from '#contract/resources/media-label.ts';
import { indexMedia } from '#server/studio/assets/search-text.ts';
import { lockMedia } from '#server/studio/assets/lock-media.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { mediaLabels } from '#server/platform/db/schema/collection-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findChangeable } from '#server/accounts/people/own-work.ts';
import { findMediaRows } from '#server/studio/library/media-rows.ts';
import { addLabels, labelsByKey } from '#server/studio/assets/add-labels.ts';
import { normalizeLabel } from '#server/studio/assets/normalize-label.ts';
import { readLabels } from './read-labels.ts';

/** Adds labels to media and removes others. @throws {ApiError} 400 `invalid_request` for more than an item can have */
export async function changeLabels(
  deps: Deps,
  caller: Caller,
  { media_ids, add, remove }: BodyOf<'label_media'>,
): Promise<MediaLabelChange> {
  const { db, clock } = deps;
  const { organization_id } = caller;
  const requested = [...new Set(media_ids)];
  const [added, removed] = [normalizeAll(add, 'add'), normalizeAll(remove, 'remove')];
  const visible = await findChangeable({ db }, caller, requested);
  const now = clock.now();
  const labels = await db.transaction(async (tx) => {
    const ids = requested.filter((id) => visible.has(id));
    // Serializes changes of an item, so that the limit holds.
    await lockMedia(tx, organization_id, ids, 'update');
    const rowOf = await findMediaRows(tx, organization_id, ids, 0);
    const listed = [...rowOf.keys()];
    if (listed.length === 0) return new Map<string, string[]>();
    const ofMedia = and(eq(mediaLabels.organization_id, organization_id), inArray(mediaLabels.media_id, listed));
    if (removed.size > 0)
      await tx.delete(mediaLabels).where(and(ofMedia, inArray(mediaLabels.label, [...removed.keys()])));
    await addLabels(tx, { organization_id, media_ids: listed, labels: added, at: now });
    const present = await readLabels(tx, listed);
    if ([...present.values()].some((each) => each.length > MAX_LABELS_PER_MEDIA)) {
      throw new ApiError('invalid_request', `A file can have up to ${MAX_LABELS_PER_MEDIA} labels.`);
    }
    await indexMedia(
      deps,
      tx,
      [...rowOf.values()].map(({ id, generation }) => ({ id, generation_id: generation?.id ?? null })),
    );
    return new Map(listed.map((id) => [id, present.get(id) ?? []]));
  });
  return {
    object: 'media_label_change',
    media: [...labels].map(([id, own]) => ({ id, labels: own })),
    missing_ids: requested.filter((id) => !labels.has(id)),
  };
}

/** Spellings by key. @throws {ApiError} 422 `invalid_request` */
function normalizeAll(texts: readonly string[], path: string): Map<string, string> {
  const labels = texts.map((text, index) => {
    const label = normalizeLabel(text);
    if (label !== null) return label;
    const message = 'Enter a label with visible characters.';
    throw new ApiError('invalid_request', message, { status: 422, details: [{ path: `${path}.${index}`, message }] });
  });
  return labelsByKey(labels);
}
