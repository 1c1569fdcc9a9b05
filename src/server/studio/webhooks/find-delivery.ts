import { and, eq, isNull } from 'drizzle-orm';
import type { WebhookDelivery, WebhookDeliveryDetail } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { DeliveryRow, EndpointRow } from './claim-deliveries.ts';
import { type EventRow, buildEventBody } from './event-body.ts';
import { presentDeliveries } from './present-delivery.ts';

interface DeliveryContext {
  delivery: DeliveryRow;
  event: EventRow;
  endpoint: EndpointRow;
}
type ReadDeps = { db: Pick<Deps['db'], 'select'> };

/** @throws {ApiError} 404 `not_found`, the same for another organization's delivery as for an unknown one */
export async function findDelivery({ db }: ReadDeps, organizationId: string, id: string): Promise<DeliveryContext> {
  const [row] = await db
    .select({ delivery: webhookDeliveries, event: webhookEvents, endpoint: webhookEndpoints })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.event_id))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpoint_id))
    .where(
      and(
        eq(webhookDeliveries.id, id),
        eq(webhookEndpoints.organization_id, organizationId),
        isNull(webhookEndpoints.deleted_at),
      ),
    );
  if (row) return row;
  throw new ApiError('not_found', 'Delivery not found.');
}

/** @throws {ApiError} 404 `not_found` */
export async function readDelivery(deps: ReadDeps, organizationId: string, id: string): Promise<WebhookDelivery> {
  const [delivery] = await presentDeliveries(deps, [await findDelivery(deps, organizationId, id)]);
  if (!delivery) throw new Error('A delivery was not presented.');
  return delivery;
}

/**
 * Reads a delivery with its attempts and the payload that it would have if sent now.
 * @throws {ApiError} 404 `not_found`
 */
export async function readDeliveryDetail(
  deps: Deps,
  organizationId: string,
  id: string,
): Promise<WebhookDeliveryDetail> {
  const { event } = await findDelivery(deps, organizationId, id);
  return { ...(await readDelivery(deps, organizationId, id)), payload: await buildEventBody(deps, event) };
}
