import { createRoute } from '@tanstack/react-router';
import { pageRoute } from './page-route.ts';
import { lazyPage } from '../shell/lazy-page.tsx';

export const reviewRoute = pageRoute(
  '/review',
  () => import('#web/features/billing/review/review-page.tsx'),
  'ReviewPage',
);

export const reviewItemRoute = createRoute({
  getParentRoute: () => reviewRoute,
  path: '$id',
  component: lazyPage(() => import('#web/features/billing/review/review-item-panel.tsx'), 'ReviewItemPanel', 'panel'),
});
