import { createRoute } from '@tanstack/react-router';
import { parseGenerationSearch } from '#web/features/generations/generation-search.ts';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const generationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/generations',
  validateSearch: validSearch(parseGenerationSearch),
  component: lazyPage(() => import('#web/features/generations/generations-page.tsx'), 'GenerationsPage'),
});

export const generationRoute = createRoute({
  getParentRoute: () => generationsRoute,
  path: '$id',
  component: lazyPage(
    () => import('#web/features/generations/detail/generation-details-panel.tsx'),
    'GenerationDetailsPanel',
    'panel',
  ),
});
