import { createRoute } from '@tanstack/react-router';
import { parseBatchesSearch, parseBatchSearch, parseNewBatchSearch } from '#web/features/batches/batches-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

const getParentRoute = () => rootRoute;

export const batchesRoute = createRoute({
  getParentRoute,
  path: '/batches',
  validateSearch: validSearch(parseBatchesSearch),
  component: lazyPage(() => import('#web/features/batches/batches-page.tsx'), 'BatchesPage'),
});

export const newBatchRoute = createRoute({
  getParentRoute,
  path: '/batches/new',
  validateSearch: validSearch(parseNewBatchSearch),
  component: lazyPage(() => import('#web/features/batches/new-batch-page.tsx'), 'NewBatchPage'),
});

export const batchRoute = createRoute({
  getParentRoute,
  path: '/batches/$id',
  validateSearch: validSearch(parseBatchSearch),
  component: lazyPage(() => import('#web/features/batches/detail/batch-page.tsx'), 'BatchPage'),
});
