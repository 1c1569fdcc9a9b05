import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { parseUploadsSearch } from '#web/features/uploads/uploads-search.ts';
import { rootRoute } from '#web/routes/root.tsx';

export const uploadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/uploads',
  validateSearch: parseUploadsSearch,
  component: lazyRouteComponent(() => import('#web/features/uploads/uploads-page.tsx'), 'UploadsPage'),
});

export const uploadRoute = createRoute({
  getParentRoute: () => uploadsRoute,
  path: '$id',
  component: lazyRouteComponent(() => import('#web/features/uploads/upload-panel.tsx'), 'UploadPanel'),
});
