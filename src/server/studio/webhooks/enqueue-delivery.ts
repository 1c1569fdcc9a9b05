import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Delivers what is due as soon as the transaction commits, instead of at the next poll. */
export const enqueueDelivery = ({ queue }: Pick<Deps, 'queue'>, tx: Tx, causeId: string): Promise<void> =>
  queue.send(tx, 'webhook.deliver', { cause_id: causeId }, { key: causeId });
