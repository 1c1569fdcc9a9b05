import { and, isNotNull } from 'drizzle-orm';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import { webhookEndpoints } from '#server/db/webhook-schema.ts';
import { findEndpoint, whereEndpoint } from './find-endpoint.ts';
import { presentEndpoints } from './present-endpoint.ts';

/**
 * Enables an endpoint that was switched off after failures; an enabled one stays as it is. Missed events are sent by
 * `recoverFailedDeliveries`.
 * @throws {ApiError} 404 `webhook_endpoint_not_found`
 */
export async function enableEndpoint(
  deps: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  id: string,
): Promise<WebhookEndpoint> {
  const is_disabled = and(whereEndpoint(organization_id, id), isNotNull(webhookEndpoints.disabled_at));
  await deps.db.update(webhookEndpoints).set({ disabled_at: null, failing_since: null }).where(is_disabled);
  const [endpoint] = await presentEndpoints(deps, [await findEndpoint(deps, organization_id, id)]);
  if (!endpoint) throw new Error('An endpoint was not presented.');
  return endpoint;
}
