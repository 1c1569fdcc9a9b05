import { asc, eq } from 'drizzle-orm';
import type { WebhookEvent } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import type { webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import { filesOf, readReceivedFiles } from '#server/studio/assets/received-files.ts';
import { presentWithoutDerivatives } from '#server/studio/generations/read/present-generation.ts';

export type EventRow = typeof webhookEvents.$inferSelect;

/**
 * Builds the body of an event: the object as it was then, a generation with fresh links to its media. Everything but
 * the links is the same in every attempt. Spec: Delivery
 */
export async function buildEventBody(deps: Deps, event: EventRow): Promise<WebhookEvent> {
  const { id, type, object } = event;
  const createdAt = event.created_at.toISOString();
  if (object.object !== 'generation') return { id, type, created_at: createdAt, data: { object } };
  const hasAssets = object.status === 'succeeded' && !event.test;
  const rows = hasAssets
    ? await deps.db.select().from(assets).where(eq(assets.generation_id, object.id)).orderBy(asc(assets.position))
    : [];
  const eventAssets = rows.map((row) => presentWithoutDerivatives(deps, { ...row, removed_at: null }));
  const files = filesOf(await readReceivedFiles(deps, hasAssets ? [object.id] : []), object.id);
  const output = hasAssets ? { ...object.output, assets: eventAssets, ...files } : object.output;
  return { id, type, created_at: createdAt, data: { object: { ...object, output } } };
}
