import { getRouteApi } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '#web/api/api.ts';
import { auditEventsQuery } from '#web/api/queries/audit-events.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { usePagedList } from '#web/collections/collection-list.ts';
import { CollectionView, defineCollection } from '#web/collections/collection-view.tsx';
import { ExportButton } from '#web/collections/export-button.tsx';
import { toQuery } from '#web/collections/filter-rows.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { AuditEventRow } from './audit-event-row.tsx';
import { groupExports } from './group-exports.ts';
import { AUDIT_FILTERS } from './audit-search.ts';

const AUDIT_EVENTS = defineCollection({
  label: 'Events',
  item: 'event',
  group: 'Audit log',
  what: 'The audit log',
  filters: AUDIT_FILTERS,
  useList: (query) => {
    const list = usePagedList(auditEventsQuery(query));
    return { ...list, rows: useMemo(() => groupExports(list.rows), [list.rows]) };
  },
  body: {
    Row: AuditEventRow,
    skeletonClass: 'flex h-16 items-center gap-3',
    skeleton: (
      <>
        <Skeleton className="size-5.5 rounded-full" />
        <Skeleton className="h-4 w-72 max-w-full" />
      </>
    ),
  },
  skeletonRows: 6,
  Empty: NoEvents,
});

function NoEvents() {
  return (
    <EmptyState icon={<ScrollText aria-hidden="true" />} title="No events yet">
      Changes of keys, budgets, providers and credits appear here.
    </EmptyState>
  );
}

const route = getRouteApi('/audit');

export function AuditPage() {
  const search = route.useSearch();
  const query = toQuery(AUDIT_FILTERS, search);
  return (
    <Page
      title="Audit log"
      intro="Who changed what, and from where. Events are never changed or removed."
      actions={<ExportButton name="audit-log.csv" read={() => api.download('export_audit_events', { query })} />}
    >
      <RequireSession to="see the audit log">
        <CollectionView collection={AUDIT_EVENTS} search={search} />
      </RequireSession>
    </Page>
  );
}
