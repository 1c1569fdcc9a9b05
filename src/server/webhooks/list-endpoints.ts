import { and, desc, eq, isNull } from 'drizzle-orm';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import { webhookEndpoints } from '#server/db/webhook-schema.ts';
import { presentEndpoints } from './present-endpoint.ts';

/** Returns all endpoints of an organization, newest first. */
export async function listEndpoints(
  deps: Pick<Deps, 'db' | 'clock'>,
  organization_id: string,
): Promise<WebhookEndpoint[]> {
  const rows = await deps.db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organization_id, organization_id), isNull(webhookEndpoints.deleted_at)))
    .orderBy(desc(webhookEndpoints.created_at), desc(webhookEndpoints.id));
  return presentEndpoints(deps, rows);
}
