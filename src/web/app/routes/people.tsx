import { createRoute } from '@tanstack/react-router';
import { parsePeopleSearch } from '#web/features/people/people-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const peopleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  validateSearch: validSearch(parsePeopleSearch),
  component: lazyPage(() => import('#web/features/people/people-page.tsx'), 'PeoplePage'),
});

export const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  component: lazyPage(() => import('#web/features/account/account-page.tsx'), 'AccountPage'),
});
