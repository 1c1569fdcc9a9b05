import { randomBytes, randomUUID } from 'node:crypto';
import type { WebhookEndpointCreate, WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import { webhookEndpoints } from '#server/db/webhook-schema.ts';
import { assertReceiver } from './assert-receiver.ts';

/** The whole text is the HMAC key. Decision: Webhooks */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

/**
 * Registers an endpoint. Its secret is in this answer alone, and stored encrypted. Spec: Request shape notes
 * @throws {ApiError} 422 for what is no https address, 400 for one that is not public or does not exist, 503 where it
 *   can't be looked up
 */
export async function createEndpoint(
  { db, clock, secrets, fetcher }: Pick<Deps, 'db' | 'clock' | 'secrets' | 'fetcher'>,
  organization_id: string,
  { url, events }: WebhookEndpointCreate,
): Promise<WebhookEndpointCreated> {
  await assertReceiver(fetcher, url);
  const id = randomUUID();
  const secret = createWebhookSecret();
  const secret_sealed = secrets.encrypt('webhook-secret', id, secret);
  await db
    .insert(webhookEndpoints)
    .values({ id, organization_id, url, events, secret_sealed, created_at: clock.now() });
  return { id, url, events, secret };
}
