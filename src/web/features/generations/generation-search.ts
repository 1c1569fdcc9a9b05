import { MODEL_IDS, TASK_IDS, type ModelId, type TaskId } from '#contract/ids.ts';
import { GENERATION_STATUSES, type GenerationStatus } from '#contract/generation-status.ts';
import { startOfLocalDay } from '#web/ui/days.ts';

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

const findOption = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((item) => item === value);
const parseDay = (value: unknown) => (typeof value === 'string' && startOfLocalDay(value) ? value : undefined);

/** Reads the address's search part; what is not understood is left out rather than refused. */
export function parseGenerationSearch(raw: Record<string, unknown>): GenerationSearch {
  const q = typeof raw['q'] === 'string' || typeof raw['q'] === 'number' ? String(raw['q']).trim().slice(0, 500) : '';
  const search: GenerationSearch = {
    status: findOption(GENERATION_STATUSES, raw['status']),
    task: findOption(TASK_IDS, raw['task']),
    model: findOption(MODEL_IDS, raw['model']),
    from: parseDay(raw['from']),
    to: parseDay(raw['to']),
    q: q || undefined,
    view: raw['view'] === 'gallery' ? 'gallery' : undefined,
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

/** Translates search parameters to list filters; `created_before` is exclusive. */
export function toGenerationFilters(search: GenerationSearch): ListGenerationsQuery {
  const { status, task, model, q } = search;
  const filters: ListGenerationsQuery = {
    status,
    task,
    model,
    q,
    created_after: startOfLocalDay(search.from)?.toISOString(),
    created_before: startOfLocalDay(search.to, 1)?.toISOString(),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

export const hasGenerationFilters = (search: GenerationSearch): boolean =>
  Object.keys(toGenerationFilters(search)).length > 0;

export const clearGenerationFilters = ({ view }: GenerationSearch): GenerationSearch => (view ? { view } : {});
