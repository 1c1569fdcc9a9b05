import * as search from '#web/features/workflows/workflows-search.ts';
import { pageRoute, searchRoute } from './page-route.ts';

export const workflowsRoute = searchRoute(
  '/workflows',
  search.parseWorkflowsSearch,
  () => import('#web/features/workflows/workflows-page.tsx'),
  'WorkflowsPage',
);

export const newStarterRoute = searchRoute(
  '/workflows/new',
  search.parseNewStarterSearch,
  () => import('#web/features/workflows/editor/editor-page.tsx'),
  'NewStarterPage',
);

export const editStarterRoute = pageRoute(
  '/workflows/$slug/edit',
  () => import('#web/features/workflows/editor/editor-page.tsx'),
  'EditStarterPage',
);

export const starterRoute = searchRoute(
  '/workflows/$slug',
  search.parseStarterSearch,
  () => import('#web/features/workflows/starter/starter-page.tsx'),
  'StarterPage',
);

export const runRoute = searchRoute(
  '/workflows/runs/$id',
  search.parseRunSearch,
  () => import('#web/features/workflows/run/run-page.tsx'),
  'RunPage',
);

export const retryRoute = searchRoute(
  '/workflows/runs/$id/retry',
  search.parseRetrySearch,
  () => import('#web/features/workflows/retry/retry-page.tsx'),
  'RetryPage',
);
