import { createRoute } from '@tanstack/react-router';
import { parseCatalogSearch } from '#web/features/catalog/catalog-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: validSearch(parseCatalogSearch),
  component: lazyPage(() => import('#web/features/catalog/catalog-page.tsx'), 'CatalogPage'),
});
