import { parsePeopleSearch } from '#web/features/people/people-search.ts';
import { pageRoute, searchRoute } from './page-route.ts';

export const peopleRoute = searchRoute(
  '/people',
  parsePeopleSearch,
  () => import('#web/features/people/people-page.tsx'),
  'PeoplePage',
);

export const accountRoute = pageRoute(
  '/account',
  () => import('#web/features/account/account-page.tsx'),
  'AccountPage',
);
