import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search): { from?: string } => (typeof search.from === 'string' ? { from: search.from } : {}),
  component: lazyPage(() => import('#web/features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});
