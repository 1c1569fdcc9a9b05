import { createRoute, redirect } from '@tanstack/react-router';
import { parseLibrarySearch, parseUploadsSearch } from '#web/features/library/library-search.ts';
import { pageRoute, searchRoute } from './page-route.ts';
import { rootRoute } from './root.tsx';

export const libraryRoute = searchRoute(
  '/library',
  parseLibrarySearch,
  () => import('#web/features/library/library-page.tsx'),
  'LibraryPage',
);

export const trashRoute = searchRoute(
  '/library/trash',
  parseLibrarySearch,
  () => import('#web/features/library/library-page.tsx'),
  'TrashPage',
);

export const uploadsRoute = searchRoute(
  '/uploads',
  parseUploadsSearch,
  () => import('#web/features/library/library-page.tsx'),
  'UploadsPage',
);

/** The former address of an open upload. */
export const uploadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/uploads/$id',
  beforeLoad: ({ params: { id } }) => {
    throw redirect({ to: '/uploads', search: parseUploadsSearch({ item: id }), replace: true });
  },
});

export const sharesRoute = pageRoute(
  '/library/shares',
  () => import('#web/features/library/shares/shares-page.tsx'),
  'SharesPage',
);
