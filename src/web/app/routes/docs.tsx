import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const docsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/docs',
  component: lazyPage(() => import('#web/features/reference/reference-page.tsx'), 'ReferencePage'),
});
