import { parseAlertsSearch } from '#web/features/alerts/alerts-search.ts';
import { searchRoute } from './page-route.ts';

export const alertsRoute = searchRoute(
  '/alerts',
  parseAlertsSearch,
  () => import('#web/features/alerts/alerts-page.tsx'),
  'AlertsPage',
);
