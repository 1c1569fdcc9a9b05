import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '#web/routes/root.tsx';
import { lazyPage } from '#web/shell/lazy-page.tsx';

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: lazyPage(() => import('#web/features/keys/keys-page.tsx'), 'KeysPage'),
});
