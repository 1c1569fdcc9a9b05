import { MODEL_IDS, TASK_IDS, type ModelId, type TaskId } from '#contract/ids.ts';
import { GENERATION_STATUSES, type GenerationStatus } from '#contract/generation-status.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import { omitUndefined, parseDay, parseOption, parseText } from '#web/ui/search-params.ts';

/** Search parameters of the list. Dates are local days, `YYYY-MM-DD`, both inclusive. */
export interface GenerationSearch {
  status?: GenerationStatus;
  task?: TaskId;
  model?: ModelId;
  from?: string;
  to?: string;
  q?: string;
  view?: 'gallery';
}

export interface ListGenerationsQuery {
  status?: GenerationStatus;
  task?: TaskId;
  model?: ModelId;
  created_after?: string;
  created_before?: string;
  q?: string;
}

/** Parses the search parameters of the URL and omits invalid ones. */
export function parseGenerationSearch(raw: Record<string, unknown>): GenerationSearch {
  return omitUndefined({
    status: parseOption(GENERATION_STATUSES, raw['status']),
    task: parseOption(TASK_IDS, raw['task']),
    model: parseOption(MODEL_IDS, raw['model']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    q: parseText(raw['q']),
    view: parseOption(['gallery'], raw['view']),
  });
}

/** Translates search parameters to list filters; `created_before` is exclusive. */
export function toGenerationFilters(search: GenerationSearch): ListGenerationsQuery {
  const { status, task, model, q } = search;
  return omitUndefined({
    status,
    task,
    model,
    q,
    created_after: startOfLocalDay(search.from)?.toISOString(),
    created_before: startOfLocalDay(search.to, 1)?.toISOString(),
  });
}

export const hasGenerationFilters = (search: GenerationSearch): boolean =>
  Object.keys(toGenerationFilters(search)).length > 0;

export const clearGenerationFilters = ({ view }: GenerationSearch): GenerationSearch => (view ? { view } : {});
