import { sql } from 'drizzle-orm';
import type { WebhookSecretRotated } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import { webhookEndpoints } from '#server/db/webhook-schema.ts';
import { createWebhookSecret } from './create-endpoint.ts';
import { whereEndpoint, endpointNotFoundError } from './find-endpoint.ts';
import { SECRET_OVERLAP_MS } from './retry-schedule.ts';

/**
 * Replaces the secret of an endpoint. For 24 hours deliveries are signed with the previous secret as well; an even
 * older one becomes invalid at once.
 * @throws {ApiError} 404 `webhook_endpoint_not_found`
 */
export async function rotateSecret(
  { db, clock, secrets }: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  organization_id: string,
  endpoint_id: string,
): Promise<WebhookSecretRotated> {
  const secret = createWebhookSecret();
  const previous_secret_expires_at = new Date(clock.now().getTime() + SECRET_OVERLAP_MS);
  const [row] = await db
    .update(webhookEndpoints)
    .set({
      previous_secret_sealed: sql`${webhookEndpoints.secret_sealed}`,
      previous_secret_expires_at,
      secret_sealed: secrets.encrypt('webhook-secret', endpoint_id.toLowerCase(), secret),
    })
    .where(whereEndpoint(organization_id, endpoint_id))
    .returning();
  if (!row) throw endpointNotFoundError();
  const { id, url, events } = row;
  return { id, url, events, secret, previous_secret_expires_at: previous_secret_expires_at.toISOString() };
}
