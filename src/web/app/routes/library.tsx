import { createRoute, redirect } from '@tanstack/react-router';
import { parseLibrarySearch, parseUploadsSearch } from '#web/features/library/library-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const libraryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library',
  validateSearch: validSearch(parseLibrarySearch),
  component: lazyPage(() => import('#web/features/library/library-page.tsx'), 'LibraryPage'),
});

export const trashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/trash',
  validateSearch: validSearch(parseLibrarySearch),
  component: lazyPage(() => import('#web/features/library/library-page.tsx'), 'TrashPage'),
});

export const uploadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/uploads',
  validateSearch: validSearch(parseUploadsSearch),
  component: lazyPage(() => import('#web/features/library/library-page.tsx'), 'UploadsPage'),
});

/** The former address of an open upload. */
export const uploadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/uploads/$id',
  beforeLoad: ({ params: { id } }) => {
    throw redirect({ to: '/uploads', search: parseUploadsSearch({ item: id }), replace: true });
  },
});

export const sharesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/shares',
  component: lazyPage(() => import('#web/features/library/shares/shares-page.tsx'), 'SharesPage'),
});
