import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '#web/routes/root.tsx';

export const reviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/review',
  component: lazyRouteComponent(() => import('#web/features/review/review-page.tsx'), 'ReviewPage'),
});

export const caseRoute = createRoute({
  getParentRoute: () => reviewRoute,
  path: '$id',
  component: lazyRouteComponent(() => import('#web/features/review/case-panel.tsx'), 'CasePanel'),
});
