import { pageRoute, searchRoute } from './page-route.ts';

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export interface SignInSearch {
  /** Where to go afterwards. */
  from?: string | undefined;
  /** Why the identity provider's callback did not sign in. */
  error?: string | undefined;
}

export const signInRoute = searchRoute(
  '/sign-in',
  ({ from, error }): SignInSearch => ({ from: textOf(from), error: textOf(error) }),
  () => import('#web/features/sign-in/sign-in-page.tsx'),
  'SignInPage',
);

export const invitationRoute = pageRoute(
  '/invitation',
  () => import('#web/features/sign-in/invitation-page.tsx'),
  'InvitationPage',
);
