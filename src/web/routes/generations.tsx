import { createRoute } from '@tanstack/react-router';
import { parseGenerationSearch } from '#web/features/generations/search.ts';
import { rootRoute } from '#web/routes/root.tsx';
import { lazyPage } from '#web/shell/lazy-page.tsx';

export const generationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/generations',
  validateSearch: parseGenerationSearch,
  component: lazyPage(() => import('#web/features/generations/generations-page.tsx'), 'GenerationsPage'),
});

export const generationRoute = createRoute({
  getParentRoute: () => generationsRoute,
  path: '$id',
  component: lazyPage(
    () => import('#web/features/generations/detail/detail-panel.tsx'),
    'GenerationDetailsPanel',
    'panel',
  ),
});
