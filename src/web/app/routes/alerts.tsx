import { createRoute } from '@tanstack/react-router';
import { parseAlertsSearch } from '#web/features/alerts/alerts-search.ts';
import { lazyPage } from '../shell/lazy-page.tsx';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';

export const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: validSearch(parseAlertsSearch),
  component: lazyPage(() => import('#web/features/alerts/alerts-page.tsx'), 'AlertsPage'),
});
