import { createRoute, notFound } from '@tanstack/react-router';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';
import { NotFound } from '../shell/not-found.tsx';

export const uiGalleryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/dev/ui',
  beforeLoad: () => {
    if (!import.meta.env.DEV) throw notFound();
  },
  component: import.meta.env.DEV
    ? lazyPage(() => import('#web/features/ui-gallery/ui-gallery-page.tsx'), 'UiGalleryPage')
    : NotFound,
});
