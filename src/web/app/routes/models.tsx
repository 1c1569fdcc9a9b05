import { parseCatalogSearch } from '#web/features/catalog/catalog-search.ts';
import { searchRoute } from './page-route.ts';

export const modelsRoute = searchRoute(
  '/models',
  parseCatalogSearch,
  () => import('#web/features/catalog/catalog-page.tsx'),
  'CatalogPage',
);
