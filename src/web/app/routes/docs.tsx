import { pageRoute } from './page-route.ts';

export const docsRoute = pageRoute(
  '/docs',
  () => import('#web/features/reference/reference-page.tsx'),
  'ReferencePage',
);
