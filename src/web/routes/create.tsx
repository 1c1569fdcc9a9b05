import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseCreateSearch } from '#web/features/create/search.ts';
import { rootRoute } from '#web/routes/root.tsx';

export const createPageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/create/{-$task}/{-$model}',
  validateSearch: parseCreateSearch,
  component: lazyRouteComponent(() => import('#web/features/create/create-page.tsx'), 'CreatePage'),
});
