import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseCatalogSearch } from '#web/features/catalog/catalog-search.ts';
import { rootRoute } from '#web/routes/root.tsx';

export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: parseCatalogSearch,
  component: lazyRouteComponent(() => import('#web/features/catalog/catalog-page.tsx'), 'CatalogPage'),
});
