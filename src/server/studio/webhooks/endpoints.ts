import { randomBytes, randomUUID } from 'node:crypto';
import type {
  WebhookEndpointCreate,
  WebhookEndpointCreated,
  WebhookEndpoint,
  WebhookSecretRotated,
} from '#contract/resources/webhook.ts';
import { type AuditActor, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookEndpoints, webhookDeliveries } from '#server/platform/db/webhook-schema.ts';
import type { ErrorStatus } from '#contract/errors.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { and, desc, eq, isNull, isNotNull, sql } from 'drizzle-orm';
import { presentEndpoints } from './present-endpoint.ts';
import { endpointTarget, findEndpoint, whereEndpoint, endpointNotFoundError } from './find-endpoint.ts';
import { SECRET_OVERLAP_MS } from './retry-schedule.ts';

/**
 * Checks as far as possible that a URL can receive deliveries. Decision: Errors, Webhooks
 * @throws {ApiError} 422 if it is not an HTTPS URL; 400 if its host is not public or unknown; 503 if the host can't
 *   be resolved
 */
async function assertReceiver(fetcher: Pick<Fetcher, 'assertPublic'>, url: string): Promise<void> {
  if (!/^https:\/\//i.test(url)) throw invalidReceiverError(422, 'The URL must start with https://.');
  try {
    await fetcher.assertPublic(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.code === 'resolver_failed') {
      throw new ApiError('service_unavailable', error.message, { cause: error, retry_after_seconds: 5 });
    }
    throw invalidReceiverError(error.code === 'invalid_url' ? 422 : 400, error.message, error);
  }
}

const invalidReceiverError = (status: ErrorStatus, message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_request', message, { status, details: [{ path: 'url', message }], cause });

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
  await assertReceiver(fetcher, url);
  const id = randomUUID();
  const secret = createWebhookSecret();
  const secret_sealed = secrets.encrypt('webhook-secret', id, secret);
  const now = clock.now();
  const { organization_id } = actor;
  await db.transaction(async (tx) => {
    await tx.insert(webhookEndpoints).values({ id, organization_id, url, events, secret_sealed, created_at: now });
    const change = { action: 'webhook.created', target: endpointTarget({ id, url }), after: { url, events } } as const;
    await recordAuditEvent(tx, actor, change, now);
  });
  return { id, url, events, secret };
}

export async function listEndpoints(deps: Deps, organization_id: string): Promise<WebhookEndpoint[]> {
  const rows = await deps.db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organization_id, organization_id), isNull(webhookEndpoints.deleted_at)))
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
  const is_disabled = and(whereEndpoint(organization_id, id), isNotNull(webhookEndpoints.disabled_at));
  await deps.db.transaction(async (tx) => {
    const [enabled] = await tx
      .update(webhookEndpoints)
      .set({ disabled_at: null, failing_since: null })
      .where(is_disabled)
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
  endpoint_id: string,
): Promise<WebhookSecretRotated> {
  const secret = createWebhookSecret();
  const now = clock.now();
  const previous_secret_expires_at = new Date(now.getTime() + SECRET_OVERLAP_MS);
  const row = await db.transaction(async (tx) => {
    const [rotated] = await tx
      .update(webhookEndpoints)
      .set({
        previous_secret_sealed: sql`${webhookEndpoints.secret_sealed}`,
        previous_secret_expires_at,
        secret_sealed: secrets.encrypt('webhook-secret', endpoint_id.toLowerCase(), secret),
      })
      .where(whereEndpoint(actor.organization_id, endpoint_id))
      .returning();
    if (!rotated) throw endpointNotFoundError();
    await recordAuditEvent(tx, actor, { action: 'webhook.secret_rotated', target: endpointTarget(rotated) }, now);
    return rotated;
  });
  const { id, url, events } = row;
  return { id, url, events, secret, previous_secret_expires_at: previous_secret_expires_at.toISOString() };
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
