import type { MediaDeletion, MediaItem } from '#contract/resources/media.ts';
import { sizeWords } from '#web/forms/media-words.ts';
import { fileCount } from '#web/library/media-words.ts';

type Kept = MediaDeletion['kept'][number];

const keptFor = ({ kept }: MediaDeletion, reason: Kept['reason']) => kept.filter((each) => each.reason === reason);
const one = (count: number, single: string, several: string) => (count === 1 ? single : several);

/** Generations that still need some of the media. */
export const neededBy = (deletion: MediaDeletion): string[] => [
  ...new Set(keptFor(deletion, 'in_use').flatMap(({ generation_ids }) => generation_ids)),
];

/** What a deletion would do, a sentence or two each. */
export function consequencesOf(
  deletion: MediaDeletion,
  media: ReadonlyMap<string, Pick<MediaItem, 'origin'>>,
): string[] {
  const { deleted, size_bytes } = deletion;
  const count = deleted.length;
  const used = deleted.filter(({ used_by_count }) => used_by_count > 0);
  const uses = used.reduce((sum, { used_by_count }) => sum + used_by_count, 0);
  const made = deleted.filter(({ id }) => media.get(id)?.origin === 'generated').length;
  const busy = keptFor(deletion, 'in_use').length;
  const gone = keptFor(deletion, 'not_found').length;
  return [
    ...(count > 0
      ? [
          `${fileCount(count)} (${sizeWords(size_bytes)}) ${one(count, 'is', 'are')} deleted for everybody in the organization.`,
        ]
      : []),
    ...(used.length > 0
      ? [
          `${used.length === count ? one(count, 'It was', 'All of them were') : `${used.length} of them ${one(used.length, 'was', 'were')}`} used as input ${uses === 1 ? 'once' : `${uses} times`}. What was made of ${one(used.length, 'it', 'them')} stays; running that again will ask for another file.`,
        ]
      : []),
    ...(made > 0
      ? [
          `What made ${made === count ? one(count, 'it', 'them') : `${made} of them`} stays in Generations, with its prompt and cost.`,
        ]
      : []),
    ...(busy > 0
      ? [
          `${fileCount(busy)} ${one(busy, 'is', 'are')} needed by work that has not ended, and ${one(busy, 'is', 'are')} kept.`,
        ]
      : []),
    ...(gone > 0 ? [`${fileCount(gone)} ${one(gone, 'is', 'are')} gone already.`] : []),
  ];
}

/** What a deletion did. */
export function outcomeOf(deletion: MediaDeletion): { title: string; detail: string | undefined } {
  const count = deletion.deleted.length;
  const busy = keptFor(deletion, 'in_use').length;
  const gone = keptFor(deletion, 'not_found').length;
  const detail = [
    count > 0 ? `${sizeWords(deletion.size_bytes)} freed.` : '',
    busy > 0 ? `${fileCount(busy)} kept: work that has not ended needs ${one(busy, 'it', 'them')}.` : '',
    gone > 0 ? `${fileCount(gone)} ${one(gone, 'was', 'were')} gone already.` : '',
  ]
    .filter(Boolean)
    .join(' ');
  return { title: count > 0 ? `${fileCount(count)} deleted` : 'Nothing was deleted', detail: detail || undefined };
}
