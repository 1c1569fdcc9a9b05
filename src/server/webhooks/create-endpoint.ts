import { randomBytes, randomUUID } from 'node:crypto';
import type { WebhookEndpointCreate, WebhookEndpointCreated } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import { webhookEndpoints } from '#server/db/webhook-schema.ts';
import type { ErrorStatus } from '#contract/errors.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Fetcher } from '#server/net/fetcher.ts';
import { OutboundError } from '#server/net/outbound-error.ts';

/**
 * Whether an address may get deliveries, as far as can be known before. Decision: Errors, Statuses, Webhooks
 * @throws {ApiError} 422 for what is no https address, 400 for one that is not public or does not exist, 503 where it
 *   can't be looked up
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
