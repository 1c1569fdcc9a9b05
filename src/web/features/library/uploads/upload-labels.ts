import type { ListedUpload, Upload } from '#contract/resources/upload.ts';
import { formatMediaMeasures } from '#web/media/format-media.ts';
import { MEDIA_TYPE_LABELS } from '#web/media/library/media-labels.ts';
import { formatNumber } from '#web/ui/formats.ts';

export const uploadName = ({ filename, type }: Pick<Upload, 'filename' | 'type'>): string =>
  filename ?? `Untitled ${MEDIA_TYPE_LABELS[type].toLowerCase()}`;

export const uploadSummary = (upload: Upload): string =>
  [MEDIA_TYPE_LABELS[upload.type], formatMediaMeasures({ ...upload, name: null })].filter(Boolean).join(' · ');

/** "Not used yet", "1 generation", "3 generations"; null if the service doesn't report it. */
export function formatUseCount({ used_by_count: count }: Pick<ListedUpload, 'used_by_count'>): string | null {
  if (count === undefined) return null;
  if (count === 0) return 'Not used yet';
  return `${formatNumber(count)} ${count === 1 ? 'generation' : 'generations'}`;
}
