import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { createPageRoute } from '#web/routes/create.tsx';
import { billingRoute } from '#web/routes/billing.tsx';
import { docsRoute } from '#web/routes/docs.tsx';
import { generationRoute, generationsRoute } from '#web/routes/generations.tsx';
import { homeRoute } from '#web/routes/home.tsx';
import { keysRoute } from '#web/routes/keys.tsx';
import { libraryRoute } from '#web/routes/library.tsx';
import { modelsRoute } from '#web/routes/models.tsx';
import { reviewItemRoute, reviewRoute } from '#web/routes/review.tsx';
import { rootRoute } from '#web/routes/root.tsx';
import { settingsRoute } from '#web/routes/settings.tsx';
import { signInRoute } from '#web/routes/sign-in.tsx';
import { uploadRoute, uploadsRoute } from '#web/routes/uploads.tsx';
import { signatureCheckRoute, deliveryRoute, endpointRoute, webhooksRoute } from '#web/routes/webhooks.tsx';
import {
  editStarterRoute,
  newStarterRoute,
  retryRoute,
  runRoute,
  starterRoute,
  workflowsRoute,
} from '#web/routes/workflows.tsx';
import { NotFound } from '#web/shell/not-found.tsx';
import { PageSkeleton } from '#web/shell/page-pending.tsx';
import { RouteError } from '#web/shell/route-error.tsx';

const routeTree = rootRoute.addChildren([
  homeRoute,
  createPageRoute,
  modelsRoute,
  billingRoute,
  keysRoute,
  settingsRoute,
  docsRoute,
  signInRoute,
  generationsRoute.addChildren([generationRoute]),
  libraryRoute,
  uploadsRoute.addChildren([uploadRoute]),
  reviewRoute.addChildren([reviewItemRoute]),
  webhooksRoute,
  signatureCheckRoute,
  endpointRoute.addChildren([deliveryRoute]),
  workflowsRoute,
  newStarterRoute,
  editStarterRoute,
  starterRoute,
  runRoute,
  retryRoute,
]);

/** The pages by address. Each is one file in `routes/`, listed above. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 120,
    defaultPendingMinMs: 0,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
