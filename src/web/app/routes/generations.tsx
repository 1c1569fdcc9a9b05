import { createRoute } from '@tanstack/react-router';
import { parseGenerationSearch } from '#web/features/generations/generation-search.ts';
import { searchRoute } from './page-route.ts';
import { lazyPage } from '../shell/lazy-page.tsx';

export const generationsRoute = searchRoute(
  '/generations',
  parseGenerationSearch,
  () => import('#web/features/generations/generations-page.tsx'),
  'GenerationsPage',
);

export const generationRoute = createRoute({
  getParentRoute: () => generationsRoute,
  path: '$id',
  component: lazyPage(
    () => import('#web/features/generations/detail/generation-details-panel.tsx'),
    'GenerationDetailsPanel',
    'panel',
  ),
});
