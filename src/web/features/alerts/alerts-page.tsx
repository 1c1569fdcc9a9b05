import { getRouteApi } from '@tanstack/react-router';
import { Bell, CircleCheck, Eye } from 'lucide-react';
import { ALERT_TITLES } from '#contract/alert-kinds.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { alertsQuery, useAcknowledgeAlert } from '#web/api/queries/alerts.ts';
import { useCan, usePermissions } from '#web/api/queries/permissions.ts';
import { RequireSession } from '#web/api/session/require-session.tsx';
import { usePagedList } from '#web/collections/collection-list.ts';
import { CollectionView, defineCollection, type EmptyProps } from '#web/collections/collection-view.tsx';
import { Badge } from '#web/ui/display/badge.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Page } from '#web/ui/page.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { toastError } from '#web/ui/overlays/toast-error.ts';
import { AlertIcon } from './alert-icon.tsx';
import { ALERT_CAUSES, AlertLink } from './alert-link.tsx';
import { AlertSettingsCard } from './alert-settings-card.tsx';
import { ALERT_FILTERS } from './alerts-search.ts';

const route = getRouteApi('/alerts');

export function AlertsPage() {
  const search = route.useSearch();
  const canChange = useCan('settings.manage');
  return (
    <Page
      title="Alerts"
      intro="Funds, budgets, providers, webhooks, reviews and the ledger. An alert is resolved when its cause is over."
    >
      <RequireSession to="see alerts" permission="alerts.read">
        <CollectionView collection={ALERTS} search={search} />
        {canChange ? (
          <div className="mt-8 max-w-3xl">
            <AlertSettingsCard />
          </div>
        ) : null}
      </RequireSession>
    </Page>
  );
}

function NoAlerts({ search, onChange }: EmptyProps<typeof ALERT_FILTERS>) {
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

const ALERTS = defineCollection({
  label: 'Alerts',
  item: 'alert',
  filters: ALERT_FILTERS,
  useList: ({ show, kind }) =>
    usePagedList(alertsQuery(omitUndefined({ status: show === 'all' ? undefined : ('open' as const), kind }))),
  body: {
    Row: AlertRow,
    skeletonClass: 'flex h-16 items-center gap-3',
    skeleton: (
      <>
        <Skeleton className="size-4 rounded-full" />
        <Skeleton className="h-4 w-72 max-w-full" />
      </>
    ),
  },
  skeletonRows: 4,
  Empty: NoAlerts,
});

function AlertRow({ row: alert }: { row: Alert }) {
  const { id, kind, status, message, raised_at } = alert;
  const { mutate, isPending } = useAcknowledgeAlert();
  const permissions = usePermissions() ?? [];
  const cause = ALERT_CAUSES[kind];
  const acknowledge = () =>
    mutate(id, {
      onError: toastError('Alert not acknowledged'),
    });
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-2.5 px-4 py-3">
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
    </div>
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
