import { parseCreateSearch } from '#web/features/create/create-search.ts';
import { searchRoute } from './page-route.ts';

export const createPageRoute = searchRoute(
  '/create/{-$task}/{-$model}',
  parseCreateSearch,
  () => import('#web/features/create/create-page.tsx'),
  'CreatePage',
);
