import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Delivers due events as soon as the transaction commits, instead of at the next poll. */
export const enqueueDelivery = ({ queue }: Pick<Deps, 'queue'>, tx: Tx, event_id: string): Promise<void> =>
  queue.send(tx, 'webhook.deliver', { event_id }, { key: event_id });
