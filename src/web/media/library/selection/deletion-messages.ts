import type { MediaDeletion, MediaItem } from '#contract/resources/media.ts';
import { formatFileSize } from '../../format-media.ts';
import { formatFileCount } from '../media-labels.ts';

type RetainedMedia = MediaDeletion['kept'][number];

const retainedBecause = ({ kept }: MediaDeletion, reason: RetainedMedia['reason']) =>
  kept.filter((each) => each.reason === reason);
const pluralize = (count: number, single: string, several: string) => (count === 1 ? single : several);

export const blockingGenerationIds = (deletion: MediaDeletion): string[] => [
  ...new Set(retainedBecause(deletion, 'in_use').flatMap(({ generation_ids }) => generation_ids)),
];

export function deletionConsequences(
  deletion: MediaDeletion,
  media: ReadonlyMap<string, Pick<MediaItem, 'origin'>>,
): string[] {
  const { deleted, size_bytes } = deletion;
  const count = deleted.length;
  const usedMedia = deleted.filter(({ used_by_count }) => used_by_count > 0);
  const uses = usedMedia.reduce((sum, { used_by_count }) => sum + used_by_count, 0);
  const generated = deleted.filter(({ id }) => media.get(id)?.origin === 'generated').length;
  const in_use = retainedBecause(deletion, 'in_use').length;
  const not_found = retainedBecause(deletion, 'not_found').length;
  return [
    ...(count > 0
      ? [`${formatFileCount(count)} (${formatFileSize(size_bytes)}) will be deleted for everyone in the organization.`]
      : []),
    ...(usedMedia.length > 0
      ? [
          `${usedMedia.length === count ? pluralize(count, 'It was', 'All of them were') : `${usedMedia.length} of them ${pluralize(usedMedia.length, 'was', 'were')}`} used as input ${uses === 1 ? 'once' : `${uses} times`}. Results made with ${pluralize(usedMedia.length, 'it', 'them')} are kept. Running them again requires another file.`,
        ]
      : []),
    ...(generated > 0
      ? [
          `${generated === count ? pluralize(count, 'Its generation stays', 'Their generations stay') : `${pluralize(generated, 'The generation', 'The generations')} of ${generated} of them ${pluralize(generated, 'stays', 'stay')}`} in Generations, with prompt and cost.`,
        ]
      : []),
    ...(in_use > 0
      ? [`${formatFileCount(in_use)} ${pluralize(in_use, 'is', 'are')} used by unfinished work and will be kept.`]
      : []),
    ...(not_found > 0 ? [`${formatFileCount(not_found)} ${pluralize(not_found, 'is', 'are')} already deleted.`] : []),
  ];
}

export function deletionResultMessage(deletion: MediaDeletion): { title: string; detail: string | undefined } {
  const count = deletion.deleted.length;
  const in_use = retainedBecause(deletion, 'in_use').length;
  const not_found = retainedBecause(deletion, 'not_found').length;
  const detail = [
    count > 0 ? `${formatFileSize(deletion.size_bytes)} freed.` : '',
    in_use > 0
      ? `${formatFileCount(in_use)} kept because unfinished work uses ${pluralize(in_use, 'it', 'them')}.`
      : '',
    not_found > 0 ? `${formatFileCount(not_found)} ${pluralize(not_found, 'was', 'were')} already deleted.` : '',
  ]
    .filter(Boolean)
    .join(' ');
  return {
    title: count > 0 ? `${formatFileCount(count)} deleted` : 'Nothing was deleted',
    detail: detail || undefined,
  };
}
