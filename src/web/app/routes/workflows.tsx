import { createRoute } from '@tanstack/react-router';
import * as search from '#web/features/workflows/workflows-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

const getParentRoute = () => rootRoute;

export const workflowsRoute = createRoute({
  getParentRoute,
  path: '/workflows',
  validateSearch: validSearch(search.parseWorkflowsSearch),
  component: lazyPage(() => import('#web/features/workflows/workflows-page.tsx'), 'WorkflowsPage'),
});

export const newStarterRoute = createRoute({
  getParentRoute,
  path: '/workflows/new',
  validateSearch: validSearch(search.parseNewStarterSearch),
  component: lazyPage(() => import('#web/features/workflows/editor/editor-page.tsx'), 'NewStarterPage'),
});

export const editStarterRoute = createRoute({
  getParentRoute,
  path: '/workflows/$slug/edit',
  component: lazyPage(() => import('#web/features/workflows/editor/editor-page.tsx'), 'EditStarterPage'),
});

export const starterRoute = createRoute({
  getParentRoute,
  path: '/workflows/$slug',
  validateSearch: validSearch(search.parseStarterSearch),
  component: lazyPage(() => import('#web/features/workflows/starter/starter-page.tsx'), 'StarterPage'),
});

export const runRoute = createRoute({
  getParentRoute,
  path: '/workflows/runs/$id',
  validateSearch: validSearch(search.parseRunSearch),
  component: lazyPage(() => import('#web/features/workflows/run/run-page.tsx'), 'RunPage'),
});

export const retryRoute = createRoute({
  getParentRoute,
  path: '/workflows/runs/$id/retry',
  validateSearch: validSearch(search.parseRetrySearch),
  component: lazyPage(() => import('#web/features/workflows/retry/retry-page.tsx'), 'RetryPage'),
});
