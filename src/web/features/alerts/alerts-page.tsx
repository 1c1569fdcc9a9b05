import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Bell, Settings } from 'lucide-react';
import { ALERT_KINDS, ALERT_TITLES } from '#contract/alert-kinds.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { alertsQuery } from '#web/api/queries/alerts.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Select } from '#web/ui/select.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/skeleton.tsx';
import { AlertRow } from './alert-row.tsx';
import { type AlertsSearch, toAlertFilters } from './alerts-search.ts';

const route = getRouteApi('/alerts');

export function AlertsPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/alerts' });
  const change = (next: Partial<AlertsSearch>) =>
    void navigate({ search: omitUndefined({ ...search, ...next }), replace: true, resetScroll: false });
  const canChange = useCan('settings.manage');
  return (
    <Page
      title="Alerts"
      intro="Funds, budgets, providers, webhooks, reviews and the ledger. An alert is resolved when its cause is over."
      actions={
        canChange ? (
          <Link to="/settings" hash="alerts" className={buttonClass()}>
            <Settings aria-hidden="true" className="size-4" />
            Alert settings
          </Link>
        ) : null
      }
    >
      <RequireSession to="see alerts" permission="alerts.read">
        <div className="mb-4 flex flex-wrap gap-3">
          <SegmentedControl
            label="Status"
            value={search.show ?? 'open'}
            options={STATUS_OPTIONS}
            onChange={(value) => change({ show: value === 'all' ? value : undefined })}
          />
          <Select
            aria-label="Kind"
            className="max-sm:w-full sm:w-56"
            value={search.cause ?? ANY}
            options={KIND_OPTIONS}
            onChange={(value) => change({ cause: value === ANY ? undefined : value })}
          />
        </div>
        <AlertList search={search} onChange={change} />
      </RequireSession>
    </Page>
  );
}

const STATUS_OPTIONS = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
] as const;
const ANY = 'any';
const KIND_OPTIONS = [
  { value: ANY, label: 'All kinds' } as const,
  ...ALERT_KINDS.map((value) => ({ value, label: ALERT_TITLES[value] })),
];

function AlertList({ search, onChange }: { search: AlertsSearch; onChange: (change: Partial<AlertsSearch>) => void }) {
  const list = useInfiniteQuery(alertsQuery(toAlertFilters(search)));
  if (list.isPending) return <AlertsSkeleton />;
  if (!list.data) return <LoadError what="Alerts" error={list.error} onRetry={() => void list.refetch()} />;
  const alerts = list.data.pages.flatMap(({ data }) => data);
  if (alerts.length === 0) {
    if (search.cause)
      return <NoMatches onClear={() => onChange({ cause: undefined })}>No alerts of this kind.</NoMatches>;
    const isAll = search.show === 'all';
    return (
      <EmptyState
        icon={<Bell aria-hidden="true" />}
        title={isAll ? 'No alerts yet' : 'No open alerts'}
        actions={isAll ? null : <Button onClick={() => onChange({ show: 'all' })}>Show all alerts</Button>}
      >
        {isAll ? 'Alerts appear here within a minute of their cause.' : 'Nothing needs your attention.'}
      </EmptyState>
    );
  }
  return (
    <>
      <ul aria-label="Alerts" className="divide-y divide-line rounded-md border border-line bg-surface">
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} />
        ))}
      </ul>
      {list.error ? (
        <LoadError what="Newer or older alerts" error={list.error} onRetry={() => void list.refetch()} />
      ) : list.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older alerts
          </Button>
        </div>
      ) : null}
    </>
  );
}

const AlertsSkeleton = () => (
  <FramedSkeletonRows label="Loading alerts" rows={4} className="flex h-16 items-center gap-3">
    <Skeleton className="size-4 rounded-full" />
    <Skeleton className="h-4 w-72 max-w-full" />
  </FramedSkeletonRows>
);
