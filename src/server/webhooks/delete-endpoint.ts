import { and, eq } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import { webhookDeliveries, webhookEndpoints } from '#server/db/webhook-schema.ts';
import { whereEndpoint, endpointNotFoundError } from './find-endpoint.ts';

/**
 * Deletes an endpoint with its secrets and cancels its pending deliveries. Spec: Request shape notes
 * @throws {ApiError} 404 `webhook_endpoint_not_found`
 */
export async function deleteEndpoint(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [deleted] = await tx
      .update(webhookEndpoints)
      .set({ deleted_at: clock.now(), secret_sealed: '', previous_secret_sealed: null })
      .where(whereEndpoint(organization_id, id))
      .returning({ id: webhookEndpoints.id });
    if (!deleted) throw endpointNotFoundError();
    await tx
      .update(webhookDeliveries)
      .set({ status: 'failed', next_attempt_at: null })
      .where(and(eq(webhookDeliveries.endpoint_id, deleted.id), eq(webhookDeliveries.status, 'pending')));
  });
}
