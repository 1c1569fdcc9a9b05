import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseLedgerSearch } from '#web/features/billing/ledger-search.ts';
import { rootRoute } from '#web/routes/root.tsx';

export const billingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/billing',
  validateSearch: parseLedgerSearch,
  component: lazyRouteComponent(() => import('#web/features/billing/billing-page.tsx'), 'BillingPage'),
});
