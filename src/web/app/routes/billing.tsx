import { parseBillingSearch } from '#web/features/billing/billing-search.ts';
import { searchRoute } from './page-route.ts';

export const billingRoute = searchRoute(
  '/billing',
  parseBillingSearch,
  () => import('#web/features/billing/billing-page.tsx'),
  'BillingPage',
);
