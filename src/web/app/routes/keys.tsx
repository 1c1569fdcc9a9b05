import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: lazyPage(() => import('#web/features/keys/keys-page.tsx'), 'KeysPage'),
});
