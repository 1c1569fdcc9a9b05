import type { GenerationStatus } from '#contract/statuses.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { GenerationSearch } from './generation-search.ts';

export interface ListGenerationsQuery {
  status?: GenerationStatus;
  task?: TaskId;
  model?: AnyModelId;
  created_after?: string;
  created_before?: string;
  q?: string;
  tags?: string;
  label?: string;
  person_id?: string;
  sort?: GenerationSearch['sort'];
  order?: 'asc';
}

/**
 * Translates search parameters to list filters; `created_before` is exclusive.
 * @param person_id whose work; undefined: everybody's
 */
export function toGenerationFilters(search: GenerationSearch, person_id?: string): ListGenerationsQuery {
  const { status, task, model, q, tags, label, sort, order } = search;
  return omitUndefined({
    status,
    task,
    model,
    q,
    tags: toTagsParameter(tags),
    label,
    person_id,
    created_after: startOfLocalDay(search.from)?.toISOString(),
    created_before: startOfLocalDay(search.to, 1)?.toISOString(),
    sort,
    order,
  });
}

export const hasGenerationFilters = ({ sort: _sort, order: _order, ...search }: GenerationSearch): boolean =>
  Object.keys(toGenerationFilters(search)).length > 0;

export const clearGenerationFilters = ({ view, sort, order }: GenerationSearch): GenerationSearch =>
  omitUndefined({ view, sort, order });
