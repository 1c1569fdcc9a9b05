import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Derivatives } from '#contract/resources/media-derivatives.ts';
import type { Deps } from '../deps.ts';
import { mediaDerivatives, type Variant } from '../db/derivative-schema.ts';
import { assets, uploads } from '../db/schema.ts';
import { mediaUrl } from '../media-links.ts';

interface Made {
  variant: Variant;
  width: number | null;
  height: number | null;
}

/**
 * The small copies of media, with their links; those of which none is made are left out.
 * @param media_ids `ast_…` and `upl_…`, whoever owns them: the caller judges who may see them
 */
export async function derivativesOf(
  deps: Pick<Deps, 'config' | 'clock' | 'secrets'> & { db: Pick<Deps['db'], 'select'> },
  media_ids: readonly string[],
): Promise<Map<string, Derivatives>> {
  const made = new Map<string, Made[]>();
  for (const media of [assets, uploads]) {
    const ids = media_ids.filter((id) => id.startsWith('upl_') === (media === uploads));
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
      .where(and(inArray(media.id, ids), isNull(media.removed_at)))
      .orderBy(asc(mediaDerivatives.width));
    for (const { id, ...row } of rows) made.set(id, [...(made.get(id) ?? []), row]);
  }
  return new Map([...made].map(([id, rows]) => [id, present(mediaUrl(deps, id).url, rows)]));
}

function present(media_url: string, made: readonly Made[]): Derivatives {
  const urlOf = (variant: Variant) => `${media_url}&as=${variant}`;
  const url = (variant: Variant) => (made.some((copy) => copy.variant === variant) ? urlOf(variant) : null);
  return {
    thumbnails: made.flatMap(({ variant, width, height }) =>
      variant.startsWith('thumbnail') && width !== null && height !== null
        ? [{ url: urlOf(variant), width, height }]
        : [],
    ),
    preview_url: url('preview'),
    waveform_url: url('waveform'),
  };
}
