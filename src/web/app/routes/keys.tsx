import { createRoute } from '@tanstack/react-router';
import { parseKeysSearch } from '#web/features/keys/keys-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: validSearch(parseKeysSearch),
  component: lazyPage(() => import('#web/features/keys/keys-page.tsx'), 'KeysPage'),
});
