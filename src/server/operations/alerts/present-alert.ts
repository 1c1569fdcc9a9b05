import { type SQL, desc, eq, sql } from 'drizzle-orm';
import type { AlertStatus } from '#contract/alert-kinds.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { alerts } from '#server/platform/db/schema/alert-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { people } from '#server/platform/db/schema/people-schema.ts';

export type AlertRow = typeof alerts.$inferSelect;

/** Reads alerts with the names of those who acknowledged them, newest first. */
export const selectAlerts = (db: Pick<Db | Tx, 'select'>, where: SQL | undefined, limit: number) =>
  db
    .select({ alert: alerts, acknowledger: sql<string | null>`coalesce(${people.name}, ${apiKeys.name})` })
    .from(alerts)
    .leftJoin(apiKeys, eq(apiKeys.id, alerts.acknowledged_by))
    .leftJoin(people, eq(people.key_id, alerts.acknowledged_by))
    .where(where)
    .orderBy(desc(alerts.id))
    .limit(limit);

const alertStatus = ({ resolved_at, acknowledged_at }: AlertRow): AlertStatus =>
  resolved_at !== null ? 'resolved' : acknowledged_at !== null ? 'acknowledged' : 'open';

export const presentAlert = (row: AlertRow, acknowledger: string | null = null): Alert => ({
  id: row.id,
  object: 'alert',
  kind: row.kind,
  status: alertStatus(row),
  message: row.message,
  subject: row.subject_id === '' ? null : { id: row.subject_id, name: row.subject_name },
  period: row.period,
  raised_at: row.raised_at.toISOString(),
  acknowledged_at: row.acknowledged_at?.toISOString() ?? null,
  acknowledged_by: row.acknowledged_by === null ? null : { id: row.acknowledged_by, name: acknowledger ?? '' },
  resolved_at: row.resolved_at?.toISOString() ?? null,
});
