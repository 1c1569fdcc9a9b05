import { parseKeysSearch } from '#web/features/keys/keys-search.ts';
import { searchRoute } from './page-route.ts';

export const keysRoute = searchRoute(
  '/keys',
  parseKeysSearch,
  () => import('#web/features/keys/keys-page.tsx'),
  'KeysPage',
);
