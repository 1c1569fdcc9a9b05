import { useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { MediaFilters } from '#web/api/queries/media.ts';
import { toTagsParameter } from '#web/forms/tags/tag-filter.ts';
import { startOfLocalDay } from '#web/ui/days.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { LibraryFilters, LibrarySearch } from './library-search.ts';

type LibrarySearchChange = { [K in keyof LibrarySearch]?: LibrarySearch[K] | undefined };

export type LibraryScope = 'library' | 'trash';
const PATHS = { library: '/library', trash: '/library/trash' } as const satisfies Record<LibraryScope, string>;

const PLACEHOLDER_ID = `ast_${'0'.repeat(26)}`;

/** Reads and writes the search parameters of a part of the library. Opening a file keeps the filters. */
export function useLibraryAddress(search: LibrarySearch, scope: LibraryScope = 'library') {
  const to = PATHS[scope];
  const router = useRouter();
  const navigate = useNavigate();
  const key = JSON.stringify({ ...search, item: undefined, show: undefined, compare: undefined });
  // The object is stable while the filters are the same, whatever is open.
  const filters = useMemo(() => JSON.parse(key) as LibraryFilters, [key]);
  const open = useCallback(
    (part: LibrarySearchChange, replace = false) =>
      void navigate({
        to,
        search: omitUndefined({ ...filters, ...part }),
        replace,
        // What replaces the address closes like it.
        ...(replace ? { state: true } : {}),
        resetScroll: false,
      }),
    [navigate, to, filters],
  );
  const toItem = useMemo(
    () => router.buildLocation({ to, search: { ...filters, item: PLACEHOLDER_ID } }).href,
    [router, to, filters],
  );
  /** Asking the router for each of thousands of tiles is too slow. */
  const hrefOf = useCallback((id: string) => toItem.replace(PLACEHOLDER_ID, id), [toItem]);
  const change = useCallback(
    (part: LibrarySearchChange) => {
      window.scrollTo({ top: 0, behavior: 'instant' });
      open(part, true);
    },
    [open],
  );
  const clear = useCallback(
    () =>
      void navigate({
        to,
        search: omitUndefined({ collection: filters.collection }),
        replace: true,
        resetScroll: false,
      }),
    [navigate, to, filters],
  );
  return { filters, open, change, clear, hrefOf };
}

export type LibraryAddress = ReturnType<typeof useLibraryAddress>;

/**
 * Translates search parameters to list filters; `created_before` is exclusive.
 * @param person_id whose media; undefined: everybody's
 */
export function toMediaFilters(
  { kind, origin, task, model, from, to, starred, tags, label, answer, link, collection, q }: LibraryFilters,
  person_id?: string,
): MediaFilters {
  const filters: MediaFilters = {
    type: kind,
    origin,
    task,
    model,
    created_after: startOfLocalDay(from)?.toISOString(),
    created_before: startOfLocalDay(to, 1)?.toISOString(),
    favourite: starred && 'true',
    tags: toTagsParameter(tags),
    label,
    client_answer: answer,
    share_id: link,
    collection_id: collection,
    q,
    person_id,
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

export const hasMediaFilters = ({ collection: _collection, ...search }: LibrarySearch): boolean =>
  Object.keys(toMediaFilters(search)).length > 0;
