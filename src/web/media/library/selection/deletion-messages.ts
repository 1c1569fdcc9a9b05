import type { MediaDeletion, MediaItem } from '#contract/resources/media.ts';
import { formatFileSize } from '../../format-media.ts';
import { formatFileCount } from '../media-labels.ts';

type RetainedMedia = MediaDeletion['kept'][number];

const retainedBecause = ({ kept }: MediaDeletion, reason: RetainedMedia['reason']) =>
  kept.filter((each) => each.reason === reason);
const pluralize = (count: number, single: string, several: string) => (count === 1 ? single : several);

/** Generations that still need some of the media. */
export const blockingGenerationIds = (deletion: MediaDeletion): string[] => [
  ...new Set(retainedBecause(deletion, 'in_use').flatMap(({ generation_ids }) => generation_ids)),
];

/** What a deletion would do, a sentence or two each. */
export function deletionConsequences(
  deletion: MediaDeletion,
  media: ReadonlyMap<string, Pick<MediaItem, 'origin'>>,
): string[] {
  const { deleted, size_bytes } = deletion;
  const count = deleted.length;
  const used = deleted.filter(({ used_by_count }) => used_by_count > 0);
  const uses = used.reduce((sum, { used_by_count }) => sum + used_by_count, 0);
  const made = deleted.filter(({ id }) => media.get(id)?.origin === 'generated').length;
  const busy = retainedBecause(deletion, 'in_use').length;
  const gone = retainedBecause(deletion, 'not_found').length;
  return [
    ...(count > 0
      ? [
          `${formatFileCount(count)} (${formatFileSize(size_bytes)}) ${pluralize(count, 'is', 'are')} deleted for everybody in the organization.`,
        ]
      : []),
    ...(used.length > 0
      ? [
          `${used.length === count ? pluralize(count, 'It was', 'All of them were') : `${used.length} of them ${pluralize(used.length, 'was', 'were')}`} used as input ${uses === 1 ? 'once' : `${uses} times`}. What was made of ${pluralize(used.length, 'it', 'them')} stays; running that again will ask for another file.`,
        ]
      : []),
    ...(made > 0
      ? [
          `What made ${made === count ? pluralize(count, 'it', 'them') : `${made} of them`} stays in Generations, with its prompt and cost.`,
        ]
      : []),
    ...(busy > 0
      ? [
          `${formatFileCount(busy)} ${pluralize(busy, 'is', 'are')} needed by work that has not ended, and ${pluralize(busy, 'is', 'are')} kept.`,
        ]
      : []),
    ...(gone > 0 ? [`${formatFileCount(gone)} ${pluralize(gone, 'is', 'are')} gone already.`] : []),
  ];
}

/** What a deletion did. */
export function deletionResultMessage(deletion: MediaDeletion): { title: string; detail: string | undefined } {
  const count = deletion.deleted.length;
  const busy = retainedBecause(deletion, 'in_use').length;
  const gone = retainedBecause(deletion, 'not_found').length;
  const detail = [
    count > 0 ? `${formatFileSize(deletion.size_bytes)} freed.` : '',
    busy > 0 ? `${formatFileCount(busy)} kept: work that has not ended needs ${pluralize(busy, 'it', 'them')}.` : '',
    gone > 0 ? `${formatFileCount(gone)} ${pluralize(gone, 'was', 'were')} gone already.` : '',
  ]
    .filter(Boolean)
    .join(' ');
  return {
    title: count > 0 ? `${formatFileCount(count)} deleted` : 'Nothing was deleted',
    detail: detail || undefined,
  };
}
