import { acknowledgeAlert } from '#server/alerts/acknowledge-alert.ts';
import { listAlerts } from '#server/alerts/list-alerts.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '../handler.ts';

export const alertRoutes = (deps: Pick<Deps, 'db' | 'clock' | 'secrets'>) =>
  ({
    list_alerts: ({ caller, query }) => listAlerts(deps, caller.organization_id, query),
    acknowledge_alert: ({ caller, params }) => acknowledgeAlert(deps, caller, params.alert_id),
  }) satisfies Handlers;
