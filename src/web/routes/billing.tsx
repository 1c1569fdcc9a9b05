import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseBillingSearch } from '#web/features/billing/billing-search.ts';
import { rootRoute } from '#web/routes/root.tsx';

export const billingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/billing',
  validateSearch: parseBillingSearch,
  component: lazyRouteComponent(() => import('#web/features/billing/billing-page.tsx'), 'BillingPage'),
});
