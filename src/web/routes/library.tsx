import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseLibrarySearch } from '#web/features/library/library-search.ts';
import { rootRoute } from '#web/routes/root.tsx';

export const libraryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library',
  validateSearch: parseLibrarySearch,
  component: lazyRouteComponent(() => import('#web/features/library/library-page.tsx'), 'LibraryPage'),
});
