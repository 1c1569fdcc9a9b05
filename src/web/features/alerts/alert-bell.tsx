import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellOff } from 'lucide-react';
import { ALERT_TITLES } from '#contract/alert-kinds.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { openAlertsQuery } from '#web/api/queries/alerts.ts';
import { usePermissions } from '#web/api/queries/permissions.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { AlertIcon } from './alert-icon.tsx';
import { Bell, bellItemClass } from './bell.tsx';
import { ALERT_CAUSES, AlertLink } from './alert-link.tsx';

/** Shows the number of open alerts, and the newest of them in a popover. */
export function AlertBell() {
  const { data, error, refetch } = useQuery(openAlertsQuery);
  const count = data ? `${data.data.length}${data.has_more ? '+' : ''}` : '0';
  return (
    <Bell label="Alerts" state="open" count={count}>
      {(close) => (
        <>
          {data ? (
            <AlertMenu alerts={data.data} close={close} />
          ) : error ? (
            <div role="alert" className="flex flex-col items-start gap-3 p-4 text-sm">
              <p>Alerts could not be loaded. {error.message}</p>
              <Button size="sm" onClick={() => void refetch()}>
                Try again
              </Button>
            </div>
          ) : (
            <Skeleton className="m-3 h-24" />
          )}
          <div className="border-t border-line p-2">
            <Link to="/alerts" onClick={close} className={cx(buttonClass({ variant: 'ghost' }), 'w-full')}>
              All alerts
            </Link>
          </div>
        </>
      )}
    </Bell>
  );
}

const SHOWN = 5;

function AlertMenu({ alerts, close }: { alerts: readonly Alert[]; close: () => void }) {
  if (alerts.length === 0) {
    return (
      <p className="flex items-center gap-2.5 p-4 text-sm text-ink-2">
        <BellOff aria-hidden="true" className="size-4 flex-none text-ink-3" />
        No open alerts.
      </p>
    );
  }
  return (
    <ul className="p-1">
      {alerts.slice(0, SHOWN).map((alert) => (
        <li key={alert.id}>
          <AlertItem alert={alert} close={close} />
        </li>
      ))}
    </ul>
  );
}

/** Links to the cause, or to the list for those who may not open it. */
function AlertItem({ alert, close }: { alert: Alert; close: () => void }) {
  const canOpen = usePermissions()?.includes(ALERT_CAUSES[alert.kind].permission) ?? false;
  const content = (
    <>
      <AlertIcon kind={alert.kind} className="mt-0.5" />
      <span className="min-w-0 flex-1">
        <span className="flex justify-between gap-2">
          <span className="font-medium">{ALERT_TITLES[alert.kind]}</span>
          <RelativeTime at={alert.raised_at} className="text-xs text-ink-3" />
        </span>
        <span className="line-clamp-3 text-ink-2 wrap-anywhere">{alert.message}</span>
      </span>
    </>
  );
  return canOpen ? (
    <AlertLink alert={alert} onClick={close} className={bellItemClass}>
      {content}
    </AlertLink>
  ) : (
    <Link to="/alerts" onClick={close} className={bellItemClass}>
      {content}
    </Link>
  );
}
