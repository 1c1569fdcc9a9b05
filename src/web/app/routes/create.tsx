import { createRoute } from '@tanstack/react-router';
import { parseCreateSearch } from '#web/features/create/create-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const createPageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/create/{-$task}/{-$model}',
  validateSearch: validSearch(parseCreateSearch),
  component: lazyPage(() => import('#web/features/create/create-page.tsx'), 'CreatePage'),
});
