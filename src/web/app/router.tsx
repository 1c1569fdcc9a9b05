import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { createPageRoute } from './routes/create.tsx';
import { addedModelRoute, addedModelsRoute, addModelRoute } from './routes/added-models.tsx';
import { alertsRoute } from './routes/alerts.tsx';
import { auditRoute } from './routes/audit.tsx';
import { batchesRoute, batchRoute, newBatchRoute } from './routes/batches.tsx';
import { billingRoute } from './routes/billing.tsx';
import { docsRoute } from './routes/docs.tsx';
import { generationRoute, generationsRoute } from './routes/generations.tsx';
import { homeRoute } from './routes/home.tsx';
import { keysRoute } from './routes/keys.tsx';
import { libraryRoute, sharesRoute, trashRoute, uploadRoute, uploadsRoute } from './routes/library.tsx';
import { modelsRoute } from './routes/models.tsx';
import { reviewItemRoute, reviewRoute } from './routes/review.tsx';
import { rootRoute } from './routes/root.tsx';
import { connectProviderRoute, providerModelsRoute, providersRoute } from './routes/providers.tsx';
import { deviceRoute, settingsRoute } from './routes/settings.tsx';
import { accountRoute, peopleRoute } from './routes/people.tsx';
import { invitationRoute, signInRoute } from './routes/sign-in.tsx';
import { uiGalleryRoute } from './routes/ui-gallery.tsx';
import { signatureCheckRoute, deliveryRoute, endpointRoute, webhooksRoute } from './routes/webhooks.tsx';
import {
  editStarterRoute,
  newStarterRoute,
  retryRoute,
  runRoute,
  starterRoute,
  workflowsRoute,
} from './routes/workflows.tsx';
import { NotFound } from './shell/not-found.tsx';
import { PageSkeleton } from './shell/page-skeleton.tsx';
import { RouteError } from './shell/route-error.tsx';

const routeTree = rootRoute.addChildren([
  homeRoute,
  createPageRoute,
  modelsRoute,
  addedModelsRoute,
  addModelRoute,
  addedModelRoute,
  billingRoute,
  auditRoute,
  alertsRoute,
  keysRoute,
  settingsRoute,
  deviceRoute,
  providersRoute,
  connectProviderRoute,
  providerModelsRoute,
  docsRoute,
  uiGalleryRoute,
  signInRoute,
  invitationRoute,
  peopleRoute,
  accountRoute,
  generationsRoute.addChildren([generationRoute]),
  libraryRoute,
  trashRoute,
  sharesRoute,
  uploadsRoute,
  uploadRoute,
  reviewRoute.addChildren([reviewItemRoute]),
  webhooksRoute,
  signatureCheckRoute,
  endpointRoute.addChildren([deliveryRoute]),
  batchesRoute,
  newBatchRoute,
  batchRoute,
  workflowsRoute,
  newStarterRoute,
  editStarterRoute,
  starterRoute,
  runRoute,
  retryRoute,
]);

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
