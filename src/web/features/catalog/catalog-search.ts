import { TASK_IDS, type TaskId } from '#contract/ids.ts';

export interface CatalogSearch {
  task?: TaskId;
  q?: string;
}

export function parseCatalogSearch(raw: Record<string, unknown>): CatalogSearch {
  const task = TASK_IDS.find((id) => id === raw['task']);
  const q = typeof raw['q'] === 'string' || typeof raw['q'] === 'number' ? String(raw['q']).trim().slice(0, 100) : '';
  return { ...(task ? { task } : {}), ...(q ? { q } : {}) };
}
