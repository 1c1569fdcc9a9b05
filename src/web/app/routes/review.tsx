import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const reviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/review',
  component: lazyPage(() => import('#web/features/billing/review/review-page.tsx'), 'ReviewPage'),
});

export const reviewItemRoute = createRoute({
  getParentRoute: () => reviewRoute,
  path: '$id',
  component: lazyPage(() => import('#web/features/billing/review/review-item-panel.tsx'), 'ReviewItemPanel', 'panel'),
});
