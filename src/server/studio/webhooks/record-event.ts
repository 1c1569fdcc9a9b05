import type { GenerationStatus } from '#contract/statuses.ts';
import type { WebhookEventType } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { presentWithoutAssets } from '#server/studio/generations/read/present-generation.ts';
import { readCreators } from '#server/accounts/keys/read-creators.ts';
import { insertEvent } from './insert-event.ts';

/** Decision: Times */
const EVENT_BY_STATUS = {
  queued: null,
  running: null,
  succeeded: 'generation.succeeded',
  failed: 'generation.failed',
  canceled: null,
  manual_review: 'generation.manual_review',
} as const satisfies Record<GenerationStatus, WebhookEventType | null>;

/**
 * Records an event and its deliveries in the transaction of a status change.
 * @param row the generation after the change
 */
export async function recordEvent(deps: Pick<Deps, 'queue'>, tx: Tx, row: GenerationRow): Promise<void> {
  const type = EVENT_BY_STATUS[row.status];
  if (type === null) return;
  const { organization_id, id: generation_id } = row;
  const present = async () => {
    const creatorOf = await readCreators({ db: tx }, [row.created_by]);
    return presentWithoutAssets(row, creatorOf(row.created_by));
  };
  await insertEvent(deps, tx, { organization_id, type, generation_id, present }, row.updated_at);
}
