import { createRoute } from '@tanstack/react-router';
import { parseAuditSearch } from '#web/features/audit/audit-search.ts';
import { lazyPage } from '../shell/lazy-page.tsx';
import { validSearch } from '#web/ui/search-params.ts';
import { rootRoute } from './root.tsx';

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: validSearch(parseAuditSearch),
  component: lazyPage(() => import('#web/features/audit/audit-page.tsx'), 'AuditPage'),
});
