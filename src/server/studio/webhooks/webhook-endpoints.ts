import { randomBytes, randomUUID } from 'node:crypto';
import type {
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookEndpoint,
  WebhookSecretRotated,
  WebhookHealth,
} from '#contract/resources/webhook.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookEndpoints, webhookDeliveries, webhookAttempts } from '#server/platform/db/schema/webhook-schema.ts';
import { and, desc, eq, isNull, isNotNull, sql, gte, inArray } from 'drizzle-orm';
import { checkReceiver } from './check-receiver.ts';
import { endpointTarget, findEndpoint, whereEndpoint, endpointNotFoundError } from './find-endpoint.ts';
import {
  SECRET_OVERLAP_MS,
  DISABLE_AFTER_MS,
  HEALTH_WINDOW_DAYS,
  HEALTH_WINDOW_MS,
  WARN_AFTER_MS,
} from './retry-schedule.ts';
import type { EndpointRow } from './claim-deliveries.ts';

/** The whole text is the HMAC key. Decision: Webhooks */
const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/**
 * Creates an endpoint. Only this response contains the secret, which is stored encrypted. Spec: Request shape notes
 * @throws {ApiError} 422 if it is not an HTTPS URL; 400 if its host is not public or unknown; 503 if the host can't
 *   be resolved
 */
export async function createEndpoint(
  { db, clock, secrets, fetcher }: Deps,
  actor: AuditActor,
  { url, events }: WebhookEndpointCreate,
): Promise<WebhookEndpointCreated> {
  await checkReceiver(fetcher, url, 'url');
  const id = randomUUID();
  const secret = createWebhookSecret();
  const secretSealed = secrets.encrypt('webhook-secret', id, secret);
  const now = clock.now();
  const { organization_id } = actor;
  await db.transaction(async (tx) => {
    await tx
      .insert(webhookEndpoints)
      .values({ id, organization_id, url, events, secret_sealed: secretSealed, created_at: now });
    const change = { action: 'webhook.created', target: endpointTarget({ id, url }), after: { url, events } } as const;
    await recordAuditEvent(tx, actor, change, now);
  });
  return { id, url, events, secret };
}

export async function listEndpoints(deps: Deps, organizationId: string): Promise<WebhookEndpoint[]> {
  const rows = await deps.db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organization_id, organizationId), isNull(webhookEndpoints.deleted_at)))
    .orderBy(desc(webhookEndpoints.created_at), desc(webhookEndpoints.id));
  return presentEndpoints(deps, rows);
}

/**
 * Enables an endpoint that was disabled after failures; does nothing if it is enabled. Missed events are sent by
 * `recoverFailedDeliveries`.
 * @throws {ApiError} 404 `webhook_endpoint_not_found`
 */
export async function enableEndpoint(deps: Deps, actor: AuditActor, id: string): Promise<WebhookEndpoint> {
  const { organization_id } = actor;
  const isDisabled = and(whereEndpoint(organization_id, id), isNotNull(webhookEndpoints.disabled_at));
  await deps.db.transaction(async (tx) => {
    const [enabled] = await tx
      .update(webhookEndpoints)
      .set({ disabled_at: null, failing_since: null })
      .where(isDisabled)
      .returning();
    if (!enabled) return;
    const change = { action: 'webhook.enabled', target: endpointTarget(enabled) } as const;
    await recordAuditEvent(tx, actor, change, deps.clock.now());
  });
  const [endpoint] = await presentEndpoints(deps, [await findEndpoint(deps, organization_id, id)]);
  if (!endpoint) throw new Error('An endpoint was not presented.');
  return endpoint;
}

/**
 * Replaces the secret of an endpoint. For 24 hours deliveries are signed with the previous secret as well; an even
 * older one becomes invalid at once.
 * @throws {ApiError} 404 `webhook_endpoint_not_found`
 */
export async function rotateSecret(
  { db, clock, secrets }: Deps,
  actor: AuditActor,
  endpointId: string,
): Promise<WebhookSecretRotated> {
  const secret = createWebhookSecret();
  const now = clock.now();
  const previousSecretExpiresAt = new Date(now.getTime() + SECRET_OVERLAP_MS);
  const row = await db.transaction(async (tx) => {
    const [rotated] = await tx
      .update(webhookEndpoints)
      .set({
        previous_secret_sealed: sql`${webhookEndpoints.secret_sealed}`,
        previous_secret_expires_at: previousSecretExpiresAt,
        secret_sealed: secrets.encrypt('webhook-secret', endpointId.toLowerCase(), secret),
      })
      .where(whereEndpoint(actor.organization_id, endpointId))
      .returning();
    if (!rotated) throw endpointNotFoundError();
    await recordAuditEvent(tx, actor, { action: 'webhook.secret_rotated', target: endpointTarget(rotated) }, now);
    return rotated;
  });
  const { id, url, events } = row;
  return { id, url, events, secret, previous_secret_expires_at: previousSecretExpiresAt.toISOString() };
}

/**
 * Deletes an endpoint with its secrets and cancels its pending deliveries. Spec: Request shape notes
 * @throws {ApiError} 404 `webhook_endpoint_not_found`
 */
export async function deleteEndpoint({ db, clock }: Deps, actor: AuditActor, id: string): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    const [deleted] = await tx
      .update(webhookEndpoints)
      .set({ deleted_at: now, secret_sealed: '', previous_secret_sealed: null })
      .where(whereEndpoint(actor.organization_id, id))
      .returning();
    if (!deleted) throw endpointNotFoundError();
    await tx
      .update(webhookDeliveries)
      .set({ status: 'failed', next_attempt_at: null })
      .where(and(eq(webhookDeliveries.endpoint_id, deleted.id), eq(webhookDeliveries.status, 'pending')));
    await recordAuditEvent(tx, actor, { action: 'webhook.deleted', target: endpointTarget(deleted) }, now);
  });
}

interface AttemptCounts {
  attempts: number;
  failed_attempts: number;
}

/** In the same order. Decision: Webhooks */
async function presentEndpoints(
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
  const expiresAt = row.previous_secret_expires_at;
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    status: row.disabled_at === null ? 'enabled' : 'disabled',
    created_at: row.created_at.toISOString(),
    last_delivery_at: row.last_delivery_at?.toISOString() ?? null,
    last_delivery_status: row.last_delivery_status,
    health: buildHealth(row, counts, now),
    previous_secret_expires_at: expiresAt !== null && expiresAt > now ? expiresAt.toISOString() : null,
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
