import { type SQL, and, eq, isNotNull, isNull, lt } from 'drizzle-orm';
import type { AlertStatus } from '#contract/alert-kinds.ts';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { parsePageCursor, presentPage } from '#server/platform/core/list-page.ts';
import { alerts } from '#server/platform/db/schema/alert-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { presentAlert, selectAlerts } from './present-alert.ts';

const STATUS_CONDITIONS: Readonly<Record<AlertStatus, () => SQL | undefined>> = {
  open: () => and(isNull(alerts.resolved_at), isNull(alerts.acknowledged_at)),
  acknowledged: () => and(isNull(alerts.resolved_at), isNotNull(alerts.acknowledged_at)),
  resolved: () => isNotNull(alerts.resolved_at),
};

/**
 * Lists alerts, newest first.
 * @throws {ApiError} 400 `invalid_request` for a cursor that was never issued
 */
export async function listAlerts(
  { db, secrets }: Deps,
  organizationId: string,
  { limit, cursor, status, kind }: QueryOf<'list_alerts'>,
): Promise<List<Alert>> {
  const scope = { organization_id: organizationId, list: 'alerts' } as const;
  const before = parsePageCursor(secrets, scope, cursor);
  const filter = and(
    eq(alerts.organization_id, organizationId),
    status && STATUS_CONDITIONS[status](),
    kind && eq(alerts.kind, kind),
    before === undefined ? undefined : lt(alerts.id, before),
  );
  return presentPage(secrets, scope, {
    rows: await selectAlerts(db, filter, limit + 1),
    limit,
    position: ({ alert }) => alert.id,
    present: (page) => page.map(({ alert, acknowledger }) => presentAlert(alert, acknowledger)),
  });
}
