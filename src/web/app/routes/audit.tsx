import { parseAuditSearch } from '#web/features/audit/audit-search.ts';
import { searchRoute } from './page-route.ts';

export const auditRoute = searchRoute(
  '/audit',
  parseAuditSearch,
  () => import('#web/features/audit/audit-page.tsx'),
  'AuditPage',
);
