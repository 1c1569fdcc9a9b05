import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const addedModelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/added-models',
  component: lazyPage(() => import('#web/features/added-models/added-models-page.tsx'), 'AddedModelsPage'),
});

export const addModelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/added-models/new',
  component: lazyPage(() => import('#web/features/added-models/add-model-page.tsx'), 'AddModelPage'),
});

export const addedModelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/added-models/$modelId',
  component: lazyPage(() => import('#web/features/added-models/added-model-page.tsx'), 'AddedModelPage'),
});
