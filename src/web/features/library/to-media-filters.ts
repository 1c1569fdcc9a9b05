import type { MediaFilters } from '#web/api/queries/media.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import type { LibraryFilters, LibrarySearch } from './library-search.ts';

/** The query of the list for an address; the first instant of `from`, the first after `to`. */
export function toMediaFilters({ kind, origin, task, model, from, to, starred, q }: LibraryFilters): MediaFilters {
  const filters: MediaFilters = {
    type: kind,
    origin,
    task,
    model,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
    favourite: starred && 'true',
    q,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** Whether anything narrows the list. */
export const hasMediaFilters = (search: LibrarySearch): boolean => Object.keys(toMediaFilters(search)).length > 0;
