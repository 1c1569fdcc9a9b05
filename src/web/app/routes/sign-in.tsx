import { createRoute } from '@tanstack/react-router';
import { validSearch } from '#web/ui/search-params.ts';
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
  validateSearch: validSearch(({ from, error }): SignInSearch => ({ from: textOf(from), error: textOf(error) })),
  component: lazyPage(() => import('#web/features/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

export const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('#web/features/sign-in/invitation-page.tsx'), 'InvitationPage'),
});
