import { pageRoute } from './page-route.ts';

export const addedModelsRoute = pageRoute(
  '/added-models',
  () => import('#web/features/added-models/added-models-page.tsx'),
  'AddedModelsPage',
);

export const addModelRoute = pageRoute(
  '/added-models/new',
  () => import('#web/features/added-models/add-model-page.tsx'),
  'AddModelPage',
);

export const addedModelRoute = pageRoute(
  '/added-models/$modelId',
  () => import('#web/features/added-models/added-model-page.tsx'),
  'AddedModelPage',
);
