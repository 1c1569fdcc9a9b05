import { useNavigate, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { omitUndefined } from '#web/ui/search-params.ts';
import type { LibraryFilters, LibrarySearch } from './library-search.ts';

export type LibraryScope = 'library' | 'uploads' | 'trash';
const PATHS = {
  library: '/library',
  uploads: '/uploads',
  trash: '/library/trash',
} as const satisfies Record<LibraryScope, string>;

const PLACEHOLDER_ID = `ast_${'0'.repeat(26)}`;

/** Reads and writes the search parameters of a part of the library. Opening a file keeps the filters. */
export function useLibraryAddress(search: LibrarySearch, scope: LibraryScope) {
  const to = PATHS[scope];
  const router = useRouter();
  const navigate = useNavigate();
  const key = JSON.stringify({ ...search, item: undefined, show: undefined, compare: undefined });
  // The object is stable while the filters are the same, whatever is open.
  const filters = useMemo(() => JSON.parse(key) as LibraryFilters, [key]);
  const open = useCallback(
    (part: LibrarySearch, replace = false) =>
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
    (part: LibraryFilters) => {
      window.scrollTo({ top: 0, behavior: 'instant' });
      open(part, true);
    },
    [open],
  );
  return { filters, open, change, hrefOf };
}

export type LibraryAddress = ReturnType<typeof useLibraryAddress>;
