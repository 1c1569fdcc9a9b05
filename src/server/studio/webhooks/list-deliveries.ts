import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm';
import type { QueryOf } from '#contract/api/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookDeliveries, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import { presentPage, parsePageCursor } from '#server/platform/core/list-page.ts';
import { findEndpoint } from './find-endpoint.ts';
import { presentDeliveries } from './present-delivery.ts';

/** Leaves out the generation, whose input a caller can make as large as a body. */
const { type, generation_id, test } = getTableColumns(webhookEvents);
const EVENT = { type, generation_id, test };

/**
 * Returns a page of an endpoint's deliveries, newest first.
 * @throws {ApiError} 404 `webhook_endpoint_not_found`; 400 `invalid_request` for a cursor that was never issued
 */
export async function listDeliveries(
  deps: Deps,
  organizationId: string,
  endpointId: string,
  query: QueryOf<'list_webhook_deliveries'>,
): Promise<List<WebhookDelivery>> {
  const scope = { organization_id: organizationId, list: 'webhook_deliveries' } as const;
  const endpoint = await findEndpoint(deps, organizationId, endpointId);
  const before = parsePageCursor(deps.secrets, scope, query.cursor);
  const rows = await deps.db
    .select({ delivery: webhookDeliveries, event: EVENT })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.event_id))
    .where(
      and(
        eq(webhookDeliveries.endpoint_id, endpoint.id),
        before === undefined ? undefined : lt(webhookDeliveries.id, before),
        query.status && eq(webhookDeliveries.status, query.status),
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(query.limit + 1);
  return presentPage(deps.secrets, scope, {
    rows,
    limit: query.limit,
    position: ({ delivery }) => delivery.id,
    present: (page) => presentDeliveries(deps, page),
  });
}
