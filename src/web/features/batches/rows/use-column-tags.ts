import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { FILE_TAGS } from '#contract/file-tags.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import type { ColumnTag } from './match-columns.ts';

const OF_FILES: readonly ColumnTag[] = [{ name: FILE_TAGS, label: 'Tags' }];

/** What columns can fill besides fields: the tags of the organization, and those of the files. */
export function useColumnTags(): readonly ColumnTag[] {
  const { data = OF_FILES } = useQuery(tagsQuery);
  return useMemo(() => (data === OF_FILES ? data : [...data, ...OF_FILES]), [data]);
}
