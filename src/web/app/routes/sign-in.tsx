import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export interface SignInSearch {
  /** Where to go afterwards. */
  from?: string | undefined;
  /** Why the identity provider's callback did not sign in. */
  error?: string | undefined;
}

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search): SignInSearch => ({ from: textOf(search.from), error: textOf(search.error) }),
  component: lazyPage(() => import('#web/features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('#web/features/sign-in/invitation-page.tsx'), 'InvitationPage'),
});
