import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '#web/routes/root.tsx';
import { lazyPage } from '#web/shell/lazy-page.tsx';

export const docsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  component: lazyPage(() => import('#web/features/reference/reference-page.tsx'), 'ReferencePage'),
});
