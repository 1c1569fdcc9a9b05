import type { MediaItem } from '#contract/resources/media.ts';
import type { Deps } from '../deps.ts';
import { derivativesOf } from '../derivatives/derivatives-of.ts';
import { mediaUrl } from '../media-links.ts';
import { keptUntil } from '../uploads/kept-until.ts';
import type { MediaRow } from './media-rows.ts';

export type PresentingMedia = Pick<Deps, 'config' | 'clock' | 'secrets' | 'db'>;

/** Media as they go over the wire, in the same order, with fresh links. */
export async function presentMedia(deps: PresentingMedia, rows: readonly MediaRow[]): Promise<MediaItem[]> {
  const derivatives = await derivativesOf(
    deps,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    object: 'media',
    origin: row.generation ? 'generated' : 'upload',
    type: row.type,
    ...mediaUrl(deps, row.id),
    kept_until: keptUntil(deps.config, row.created_at),
    mime_type: row.mime_type,
    filename: row.filename,
    size_bytes: row.size_bytes,
    width: row.width,
    height: row.height,
    duration_seconds: row.duration_seconds,
    created_at: row.created_at.toISOString(),
    favourite: row.favourite,
    derivatives: derivatives.get(row.id) ?? null,
    generation: row.generation,
  }));
}
