import { parseBatchesSearch, parseBatchSearch, parseNewBatchSearch } from '#web/features/batches/batches-search.ts';
import { searchRoute } from './page-route.ts';

export const batchesRoute = searchRoute(
  '/batches',
  parseBatchesSearch,
  () => import('#web/features/batches/batches-page.tsx'),
  'BatchesPage',
);

export const newBatchRoute = searchRoute(
  '/batches/new',
  parseNewBatchSearch,
  () => import('#web/features/batches/new-batch-page.tsx'),
  'NewBatchPage',
);

export const batchRoute = searchRoute(
  '/batches/$id',
  parseBatchSearch,
  () => import('#web/features/batches/detail/batch-page.tsx'),
  'BatchPage',
);
