import type { MediaDetail, MediaItem } from '#contract/resources/media.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { readDerivatives } from '#server/studio/assets/derivatives/read-derivatives.ts';
import { createMediaLink } from '#server/studio/assets/media-links.ts';
import { mediaName } from '#server/studio/assets/media-name.ts';
import { mediaExpiresAt, trashExpiresAt } from '#server/studio/assets/retention.ts';
import { readLabels } from './labels/read-labels.ts';
import type { MediaRow } from './media-rows.ts';
import { readAnswers } from './shares/read-answers.ts';

export async function presentMedia(
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'secrets'>,
  rows: readonly MediaRow[],
  /** Only the answers of clients on this page. */
  { share_id }: { share_id?: string | undefined } = {},
): Promise<(MediaItem & Pick<MediaDetail, 'created_by'>)[]> {
  // A page is of the library or of the trash.
  const inTrash = rows[0]?.trashed_at != null;
  const derivatives = await readDerivatives(
    deps,
    rows.map(({ id }) => id),
    { in_trash: inTrash },
  );
  const creatorOf = await readCreators(
    deps,
    rows.map(({ created_by }) => created_by),
  );
  const labels = await readLabels(
    deps.db,
    rows.map(({ id }) => id),
  );
  const answers = await readAnswers(
    deps.db,
    rows.map(({ id }) => id),
    share_id,
  );
  return rows.map((row) => ({
    id: row.id,
    object: 'media',
    origin: row.generation ? 'generated' : 'upload',
    type: row.type,
    ...createMediaLink(deps, row.id, { in_trash: inTrash }),
    kept_until: row.trashed_at
      ? trashExpiresAt(deps.config, { ...row, trashed_at: row.trashed_at })
      : mediaExpiresAt(deps.config, row.created_at),
    trashed_at: row.trashed_at?.toISOString() ?? null,
    mime_type: row.mime_type,
    filename: row.filename,
    name: mediaName(row),
    size_bytes: row.size_bytes,
    width: row.width,
    height: row.height,
    duration_seconds: row.duration_seconds,
    created_at: row.created_at.toISOString(),
    created_by: creatorOf(row.created_by),
    favourite: row.favourite,
    labels: labels.get(row.id) ?? [],
    client_answers: answers.get(row.id) ?? [],
    derivatives: derivatives.get(row.id) ?? null,
    source: row.source,
    lost_marks: row.lost_marks ?? [],
    generation: row.generation,
  }));
}
