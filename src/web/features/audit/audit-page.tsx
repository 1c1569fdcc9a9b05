import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '#web/api/api.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { type AuditEventFilters, auditEventsQuery } from '#web/api/queries/audit-events.ts';
import { useEveryone } from '#web/api/queries/people.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { ExportButton } from '#web/collections/export-button.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Page } from '#web/ui/page.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/skeleton.tsx';
import { AuditEventRow } from './audit-event-row.tsx';
import { AuditFilterBar } from './audit-filter-bar.tsx';
import { type AuditSearch, toAuditFilters } from './audit-search.ts';

const route = getRouteApi('/audit');

export function AuditPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/audit' });
  const filters = useMemo(() => toAuditFilters(search), [search]);
  const change = (next: Partial<AuditSearch>) =>
    void navigate({ search: omitUndefined({ ...search, ...next }), replace: true, resetScroll: false });
  return (
    <Page
      title="Audit log"
      intro="Who changed what, and from where. Events are never changed or removed."
      actions={
        <ExportButton name="audit-log.csv" read={() => api.download('export_audit_events', { query: filters })} />
      }
    >
      <RequireSession to="see the audit log">
        <AuditEvents
          search={search}
          filters={filters}
          onChange={change}
          onClear={() => void navigate({ search: {}, replace: true })}
        />
      </RequireSession>
    </Page>
  );
}

interface AuditEventsProps {
  search: AuditSearch;
  filters: AuditEventFilters;
  onChange: (change: Partial<AuditSearch>) => void;
  onClear: () => void;
}

function AuditEvents({ search, filters, onChange, onClear }: AuditEventsProps) {
  const list = useInfiniteQuery(auditEventsQuery(filters));
  const events = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const everyone = useEveryone();
  const names = useMemo(() => new Map(everyone.map(({ id, name }) => [id, name])), [everyone]);
  if (list.isPending) return <AuditSkeleton />;
  if (!list.data) return <LoadError what="The audit log" error={list.error} onRetry={() => void list.refetch()} />;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <AuditFilterBar search={search} events={events} names={names} onChange={onChange} />
      {events.length > 0 ? (
        <ul aria-label="Events" className="divide-y divide-line rounded-md border border-line bg-surface">
          {events.map((event) => (
            <AuditEventRow key={event.id} event={event} names={names} />
          ))}
        </ul>
      ) : isFiltered ? (
        <NoMatches onClear={onClear}>No events match these filters.</NoMatches>
      ) : (
        <EmptyState icon={<ScrollText aria-hidden="true" />} title="No events yet">
          Changes of keys, budgets, providers and credits appear here.
        </EmptyState>
      )}
      {list.error ? (
        <LoadError what="Older events" error={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : list.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older events
          </Button>
        </div>
      ) : null}
    </>
  );
}

const AuditSkeleton = () => (
  <FramedSkeletonRows label="Loading the audit log" rows={6} className="flex h-16 items-center gap-3">
    <Skeleton className="size-5.5 rounded-full" />
    <Skeleton className="h-4 w-72 max-w-full" />
  </FramedSkeletonRows>
);
