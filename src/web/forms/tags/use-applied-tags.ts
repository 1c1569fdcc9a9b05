import { useQuery } from '@tanstack/react-query';
import { tagsQuery } from '#web/api/queries/settings.ts';
import type { AppliedFilter } from '#web/ui/overlays/filter-menu.tsx';
import { NO_VALUE, setTagFilter, type TagFilter } from './tag-filter.ts';

/** Describes the filter by tags for `AppliedFilters`. */
export function useAppliedTags(
  tags: TagFilter | undefined,
  onChange: (tags: TagFilter | undefined) => void,
): AppliedFilter[] {
  const entries = Object.entries(tags ?? {});
  const { data = [] } = useQuery({ ...tagsQuery, enabled: entries.length > 0 });
  return entries.map(([name, value]) => ({
    label: `${data.find((tag) => tag.name === name)?.label ?? name}: ${value ?? NO_VALUE}`,
    onRemove: () => onChange(setTagFilter(tags, name, undefined)),
  }));
}
