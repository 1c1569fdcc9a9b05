import { createRoute } from '@tanstack/react-router';
import { parseBillingSearch } from '#web/features/billing/billing-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const billingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/billing',
  validateSearch: validSearch(parseBillingSearch),
  component: lazyPage(() => import('#web/features/billing/billing-page.tsx'), 'BillingPage'),
});
