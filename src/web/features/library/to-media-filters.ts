import type { MediaFilters } from '#web/api/queries/media.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import type { LibraryFilters, LibrarySearch } from './library-search.ts';

/** Translates search parameters to list filters; `created_before` is exclusive. */
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

export const hasMediaFilters = (search: LibrarySearch): boolean => Object.keys(toMediaFilters(search)).length > 0;
