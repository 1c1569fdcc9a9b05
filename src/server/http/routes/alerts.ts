import { acknowledgeAlert } from '#server/operations/alerts/acknowledge-alert.ts';
import { listAlerts } from '#server/operations/alerts/list-alerts.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Handlers } from '#server/http/handler.ts';

export const alertRoutes = (deps: Deps) =>
  ({
    list_alerts: ({ caller, query }) => listAlerts(deps, caller.organization_id, query),
    acknowledge_alert: ({ caller, params }) => acknowledgeAlert(deps, caller, params.alert_id),
  }) satisfies Handlers;
