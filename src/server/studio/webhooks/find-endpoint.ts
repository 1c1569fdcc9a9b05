import { and, eq, isNull } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { EndpointRow } from './claim-deliveries.ts';

export const endpointNotFoundError = (): ApiError =>
  new ApiError('webhook_endpoint_not_found', 'Webhook endpoint not found.');

export const whereEndpoint = (organizationId: string, id: string) =>
  and(
    eq(webhookEndpoints.id, id.toLowerCase()),
    eq(webhookEndpoints.organization_id, organizationId),
    isNull(webhookEndpoints.deleted_at),
  );

/**
 * @throws {ApiError} 404 `webhook_endpoint_not_found`, the same for another organization's endpoint as for an unknown
 *   one
 */
export async function findEndpoint(
  { db }: { db: Pick<Deps['db'], 'select'> },
  organizationId: string,
  id: string,
): Promise<EndpointRow> {
  const [row] = await db.select().from(webhookEndpoints).where(whereEndpoint(organizationId, id));
  if (row) return row;
  throw endpointNotFoundError();
}

/** @throws {ApiError} 404 `webhook_endpoint_not_found`; 409 `webhook_endpoint_disabled` */
export async function findEnabledEndpoint(
  deps: { db: Pick<Deps['db'], 'select'> },
  organizationId: string,
  id: string,
): Promise<EndpointRow> {
  const row = await findEndpoint(deps, organizationId, id);
  if (row.disabled_at === null) return row;
  throw new ApiError('webhook_endpoint_disabled', 'This endpoint is disabled. Enable it first.');
}

/** An endpoint as the target of an event in the audit log. */
export const endpointTarget = ({ id, url }: { id: string; url: string }) => ({ type: 'webhook', id, name: url });
