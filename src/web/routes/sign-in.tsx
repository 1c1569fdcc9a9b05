import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '#web/routes/root.tsx';
import { lazyPage } from '#web/shell/lazy-page.tsx';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search): { from?: string } => (typeof search.from === 'string' ? { from: search.from } : {}),
  component: lazyPage(() => import('#web/session/sign-in-page.tsx'), 'SignInPage'),
});
