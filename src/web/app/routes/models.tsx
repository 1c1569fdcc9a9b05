import { createRoute } from '@tanstack/react-router';
import { parseCatalogSearch } from '#web/features/catalog/catalog-search.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: parseCatalogSearch,
  component: lazyPage(() => import('#web/features/catalog/catalog-page.tsx'), 'CatalogPage'),
});
