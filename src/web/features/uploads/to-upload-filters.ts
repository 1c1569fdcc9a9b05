import type { UploadFilters } from '#web/api/queries/uploads.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import type { UploadsSearch } from './uploads-search.ts';

/** The query of the list for an address; the first instant of `from`, the first after `to`. */
export function toUploadFilters({ kind, from, to, q }: UploadsSearch): UploadFilters {
  const filters: UploadFilters = {
    type: kind,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
    q,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
