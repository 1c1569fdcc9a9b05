import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';

/** Has what is due delivered at once when the transaction commits, rather than when somebody looks. */
export const enqueueDelivery = ({ queue }: Pick<Deps, 'queue'>, tx: Tx, event_id: string): Promise<void> =>
  queue.send(tx, 'webhook.deliver', { event_id }, { key: event_id });
