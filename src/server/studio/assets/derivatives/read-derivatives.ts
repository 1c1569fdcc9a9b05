import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Derivatives } from '#contract/resources/media.ts';
import type { Db } from '#server/platform/db/db.ts';
import { type DerivativeVariant, mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type StoredMedia, isStored } from '#server/studio/assets/find-stored-media.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';

interface DerivativeRow {
  variant: DerivativeVariant;
  width: number | null;
  height: number | null;
}

/**
 * Media without derivatives are missing from the map.
 * @param mediaIds of any organization: the caller checks access
 * @param in_trash whether the links also work while the files are in the trash
 */
export async function readDerivatives(
  deps: Pick<Deps, 'config' | 'clock' | 'secrets'> & { db: Pick<Deps['db'], 'select'> },
  mediaIds: readonly string[],
  { in_trash = false } = {},
): Promise<Map<string, Derivatives>> {
  const byMedia = new Map<string, DerivativeRow[]>();
  for (const media of [assets, uploads]) {
    const ids = mediaIds.filter((id) => id.startsWith('upl_') === (media === uploads));
    if (ids.length === 0) continue;
    const rows = await deps.db
      .select({
        id: media.id,
        variant: mediaDerivatives.variant,
        width: mediaDerivatives.width,
        height: mediaDerivatives.height,
      })
      .from(media)
      .innerJoin(mediaDerivatives, eq(mediaDerivatives.source_key, media.storage_key))
      .where(and(inArray(media.id, ids), isStored(media)))
      .orderBy(asc(mediaDerivatives.width));
    for (const { id, ...row } of rows) byMedia.set(id, [...(byMedia.get(id) ?? []), row]);
  }
  return new Map(
    [...byMedia].map(([id, rows]) => [id, presentDerivatives(createMediaLink(deps, id, { in_trash }).url, rows)]),
  );
}

function presentDerivatives(mediaUrl: string, rows: readonly DerivativeRow[]): Derivatives {
  const urlOf = (variant: DerivativeVariant) => `${mediaUrl}&as=${variant}`;
  const url = (variant: DerivativeVariant) => (rows.some((row) => row.variant === variant) ? urlOf(variant) : null);
  return {
    thumbnails: rows.flatMap(({ variant, width, height }) =>
      variant.startsWith('thumbnail') && width !== null && height !== null
        ? [{ url: urlOf(variant), width, height }]
        : [],
    ),
    preview_url: url('preview'),
    waveform_url: url('waveform'),
  };
}

const DERIVATIVE_VARIANTS = {
  'thumbnail-320': true,
  'thumbnail-960': true,
  preview: true,
  waveform: true,
} as const satisfies Record<DerivativeVariant, true>;

const isVariant = (text: string): text is DerivativeVariant => Object.hasOwn(DERIVATIVE_VARIANTS, text);

/** A derivative by its name in links; null if it does not exist, or not yet. */
export async function findDerivative(db: Db, medium: StoredMedia, name: string): Promise<StoredMedia | null> {
  if (!isVariant(name)) return null;
  const [row] = await db
    .select()
    .from(mediaDerivatives)
    .where(and(eq(mediaDerivatives.source_key, medium.storage_key), eq(mediaDerivatives.variant, name)));
  return row ? { ...medium, ...row, filename: null, hasSidecar: false } : null;
}
