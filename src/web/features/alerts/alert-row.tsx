import { CircleCheck, Eye } from 'lucide-react';
import { ALERT_TITLES } from '#contract/alert-kinds.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { useAcknowledgeAlert } from '#web/api/queries/alerts.ts';
import { usePermissions } from '#web/api/queries/permissions.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { AlertIcon } from './alert-icon.tsx';
import { ALERT_CAUSES, AlertLink } from './alert-link.tsx';

export function AlertRow({ alert }: { alert: Alert }) {
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
    return <Badge icon={<Eye aria-hidden="true" />}>Acknowledged by {acknowledged_by?.name ?? 'somebody'}</Badge>;
  return (
    <Badge tone="good" icon={<CircleCheck aria-hidden="true" />}>
      Resolved {resolved_at ? <RelativeTime at={resolved_at} /> : null}
    </Badge>
  );
}
