import { createRoute } from '@tanstack/react-router';
import { parseUploadsSearch } from '#web/features/library/uploads/uploads-search.ts';
import { rootRoute } from './root.tsx';
import { lazyPage } from '../shell/lazy-page.tsx';

export const uploadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/uploads',
  validateSearch: parseUploadsSearch,
  component: lazyPage(() => import('#web/features/library/uploads/uploads-page.tsx'), 'UploadsPage'),
});

export const uploadRoute = createRoute({
  getParentRoute: () => uploadsRoute,
  path: '$id',
  component: lazyPage(() => import('#web/features/library/uploads/upload-panel.tsx'), 'UploadPanel', 'panel'),
});
