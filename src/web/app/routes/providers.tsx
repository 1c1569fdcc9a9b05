import { pageRoute } from './page-route.ts';

export const providersRoute = pageRoute(
  '/providers',
  () => import('#web/features/providers/providers-page.tsx'),
  'ProvidersPage',
);

export const connectProviderRoute = pageRoute(
  '/providers/connect/$preset',
  () => import('#web/features/providers/connect-page.tsx'),
  'ConnectPage',
);

export const providerModelsRoute = pageRoute(
  '/providers/$provider/models',
  () => import('#web/features/providers/provider-models-page.tsx'),
  'ProviderModelsPage',
);
