import { and, gte, inArray, sql } from 'drizzle-orm';
import type { WebhookEndpoint, WebhookHealth } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookAttempts } from '#server/platform/db/webhook-schema.ts';
import type { EndpointRow } from './claim-deliveries.ts';
import { DISABLE_AFTER_MS, HEALTH_WINDOW_DAYS, HEALTH_WINDOW_MS, WARN_AFTER_MS } from './retry-schedule.ts';

interface AttemptCounts {
  attempts: number;
  failed_attempts: number;
}

/** In the same order. Decision: Webhooks */
export async function presentEndpoints(
  { db, clock }: { db: Pick<Deps['db'], 'select'> } & Deps,
  rows: readonly EndpointRow[],
): Promise<WebhookEndpoint[]> {
  if (rows.length === 0) return [];
  const now = clock.now();
  const ids = rows.map(({ id }) => id);
  const counted = await db
    .select({
      endpoint_id: webhookAttempts.endpoint_id,
      attempts: sql<number>`count(*)::int`,
      failed_attempts: sql<number>`(count(*) filter (where ${webhookAttempts.error} is not null))::int`,
    })
    .from(webhookAttempts)
    .where(
      and(
        inArray(webhookAttempts.endpoint_id, ids),
        gte(webhookAttempts.at, new Date(now.getTime() - HEALTH_WINDOW_MS)),
      ),
    )
    .groupBy(webhookAttempts.endpoint_id);
  const counts = new Map(counted.map(({ endpoint_id, ...rest }) => [endpoint_id, rest]));
  return rows.map((row) => presentEndpoint(row, counts.get(row.id) ?? { attempts: 0, failed_attempts: 0 }, now));
}

function presentEndpoint(row: EndpointRow, counts: AttemptCounts, now: Date): WebhookEndpoint {
  const expires_at = row.previous_secret_expires_at;
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    status: row.disabled_at === null ? 'enabled' : 'disabled',
    created_at: row.created_at.toISOString(),
    last_delivery_at: row.last_delivery_at?.toISOString() ?? null,
    last_delivery_status: row.last_delivery_status,
    health: buildHealth(row, counts, now),
    previous_secret_expires_at: expires_at !== null && expires_at > now ? expires_at.toISOString() : null,
  };
}

const buildHealth = (row: EndpointRow, counts: AttemptCounts, now: Date): WebhookHealth => ({
  window_days: HEALTH_WINDOW_DAYS,
  ...counts,
  failing_since: row.failing_since?.toISOString() ?? null,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  warning: buildWarning(row, now),
});

function buildWarning({ failing_since, disabled_at }: EndpointRow, now: Date): string | null {
  if (failing_since === null) return null;
  const since = failing_since.toISOString().slice(0, 10);
  if (disabled_at !== null) {
    return `This endpoint was disabled because no delivery has been acknowledged since ${since}. Fix the receiver, enable the endpoint, then resend failed deliveries.`;
  }
  if (now.getTime() - failing_since.getTime() < WARN_AFTER_MS) return null;
  const ends = new Date(failing_since.getTime() + DISABLE_AFTER_MS).toISOString().slice(0, 10);
  return `No delivery has been acknowledged since ${since}. This endpoint will be disabled after ${ends}.`;
}
