import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const providersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/providers',
  component: lazyPage(() => import('#web/features/providers/providers-page.tsx'), 'ProvidersPage'),
});

export const connectProviderRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/providers/connect/$preset',
  component: lazyPage(() => import('#web/features/providers/connect-page.tsx'), 'ConnectPage'),
});

export const providerModelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/providers/$provider/models',
  component: lazyPage(() => import('#web/features/providers/provider-models-page.tsx'), 'ProviderModelsPage'),
});
