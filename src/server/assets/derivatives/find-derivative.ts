import { and, eq } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { mediaDerivatives, type DerivativeVariant } from '#server/db/derivative-schema.ts';
import type { StoredMedia } from '../find-stored-media.ts';

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
  return row ? { ...medium, ...row, filename: null } : null;
}
