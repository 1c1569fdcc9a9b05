import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Bell, CircleCheck, Eye } from 'lucide-react';
import { ALERT_KINDS, ALERT_TITLES } from '#contract/alert-kinds.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { alertsQuery, useAcknowledgeAlert } from '#web/api/queries/alerts.ts';
import { useCan, usePermissions } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Select } from '#web/ui/select.tsx';
import { FramedSkeletonRows, Skeleton } from '#web/ui/skeleton.tsx';
import { type AlertsSearch, toAlertFilters } from './alerts-search.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { Badge } from '#web/ui/badge.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { AlertIcon } from './alert-icon.tsx';
import { ALERT_CAUSES, AlertLink } from './alert-link.tsx';
import { AlertSettingsCard } from './alert-settings-card.tsx';

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
        {canChange ? (
          <div className="mt-8 max-w-3xl">
            <AlertSettingsCard />
          </div>
        ) : null}
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

function AlertRow({ alert }: { alert: Alert }) {
  const { id, kind, status, message, raised_at } = alert;
  const { mutate, isPending } = useAcknowledgeAlert();
  const permissions = usePermissions() ?? [];
  const cause = ALERT_CAUSES[kind];
  const acknowledge = () =>
    mutate(id, {
      onError: ({ message: detail }) => showToast({ title: 'Alert not acknowledged', detail, tone: 'bad' }),
    });
  return (
    <li className="flex flex-wrap gap-x-3 gap-y-2.5 px-4 py-3">
      <AlertIcon kind={kind} className="mt-0.5" />
      <div className="min-w-0 flex-[1_1_16rem]">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="font-medium">{ALERT_TITLES[kind]}</h2>
          <RelativeTime at={raised_at} className="text-sm text-ink-3" />
          <AlertStatusBadge alert={alert} />
        </div>
        <p className="wrap-anywhere text-ink-2">{message}</p>
      </div>
      <div className="flex flex-wrap items-start gap-2 max-sm:pl-7">
        {status !== 'resolved' && permissions.includes(cause.permission) ? (
          <AlertLink alert={alert} className={buttonClass({ size: 'sm' })}>
            {cause.label}
          </AlertLink>
        ) : null}
        {status === 'open' && permissions.includes('alerts.manage') ? (
          <Button size="sm" busy={isPending} aria-label={`Acknowledge ${ALERT_TITLES[kind]}`} onClick={acknowledge}>
            Acknowledge
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function AlertStatusBadge({ alert: { status, acknowledged_by, resolved_at } }: { alert: Alert }) {
  if (status === 'open') return null;
  if (status === 'acknowledged')
    return (
      <Badge icon={<Eye aria-hidden="true" />}>
        Acknowledged by <bdi>{acknowledged_by?.name ?? 'somebody'}</bdi>
      </Badge>
    );
  return (
    <Badge tone="good" icon={<CircleCheck aria-hidden="true" />}>
      Resolved {resolved_at ? <RelativeTime at={resolved_at} /> : null}
    </Badge>
  );
}
