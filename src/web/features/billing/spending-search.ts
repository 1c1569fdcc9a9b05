import { isTaskId } from '#contract/catalog.ts';
import { PROGRAMS, type PivotDimension } from '#contract/ledger.ts';
import { isModelId } from '#web/api/known-models.ts';
import type { LedgerSearch } from './ledger/ledger-search.ts';

/** Everything beyond the largest, in breakdowns. */
const OTHER = '(other)';

/**
 * Returns the ledger filter of a group of spending; null if the ledger cannot filter by it.
 * @param id null: work without a value
 */
export function toLedgerSearch(by: PivotDimension, id: string | null): LedgerSearch | null {
  if (id === OTHER) return null;
  switch (by) {
    case 'task':
      return id !== null && isTaskId(id) ? { task: id } : null;
    case 'model':
      return id !== null && isModelId(id) ? { model: id } : null;
    case 'key':
      return id === null ? null : { key: id };
    case 'person':
      return { person: id ?? PROGRAMS };
    case 'month':
    case 'week':
    case 'day':
      return null;
    default:
      return { tags: { [by.slice('tag:'.length)]: id } };
  }
}

/** Both filters together; the second one wins. */
export const joinSearch = (first: LedgerSearch, second: LedgerSearch): LedgerSearch => {
  const tags = { ...first.tags, ...second.tags };
  return { ...first, ...second, ...(Object.keys(tags).length > 0 ? { tags } : {}) };
};
