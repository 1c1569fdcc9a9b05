import { type TaskId, TASK_IDS } from '#contract/ids.ts';
import { omitUndefined, parseOption, parseText } from '#web/ui/search-params.ts';

export interface CatalogSearch {
  task?: TaskId;
  q?: string;
}

export function parseCatalogSearch(raw: Record<string, unknown>): CatalogSearch {
  return omitUndefined({ task: parseOption(TASK_IDS, raw['task']), q: parseText(raw['q']) });
}
