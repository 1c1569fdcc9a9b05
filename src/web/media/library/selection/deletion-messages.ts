import type { MediaDeletion } from '#contract/resources/media.ts';
import { formatFileSize } from '../../format-media.ts';
import { formatFileCount } from '../media-labels.ts';

type RetainedMedia = MediaDeletion['kept'][number];

const retainedBecause = ({ kept }: MediaDeletion, reason: RetainedMedia['reason']) =>
  kept.filter((each) => each.reason === reason);
const pluralize = (count: number, single: string, several: string) => (count === 1 ? single : several);

/** @param toTrash whether the files were moved to the trash, else deleted for good */
export function deletionResultMessage(deletion: MediaDeletion, toTrash: boolean): { title: string; detail?: string } {
  const count = deletion.deleted.length;
  const inUse = retainedBecause(deletion, 'in_use').length;
  const notFound = retainedBecause(deletion, 'not_found').length;
  const detail = [
    count > 0 && !toTrash ? `${formatFileSize(deletion.size_bytes)} freed.` : '',
    inUse > 0 ? `${formatFileCount(inUse)} kept because unfinished work uses ${pluralize(inUse, 'it', 'them')}.` : '',
    notFound > 0 ? `${formatFileCount(notFound)} ${pluralize(notFound, 'was', 'were')} already deleted.` : '',
  ]
    .filter(Boolean)
    .join(' ');
  const done = toTrash ? 'moved to the trash' : 'deleted';
  return {
    title: count > 0 ? `${formatFileCount(count)} ${done}` : 'Nothing was deleted',
    ...(detail ? { detail } : {}),
  };
}
