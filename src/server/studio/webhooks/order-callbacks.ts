import { eq, lt } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { deleteInBatches } from '#server/platform/db/delete-batches.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { callbackDeliveries, orderCallbacks } from '#server/platform/db/schema/webhook-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { EVENT_RETENTION_MS } from './retry-schedule.ts';

export type CallbackEvent = 'started' | 'completed';

export interface CallbackRequest {
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Writes the request that tells a receiver about an order, in the form of another API. */
export interface CallbackFormat {
  /**
   * @param order its current state, with new media links
   * @returns null: there is nothing to tell yet
   */
  build(deps: Deps, organizationId: string, order: Generation, event: CallbackEvent): Promise<CallbackRequest | null>;
}

export type CallbackFormats = Readonly<Record<string, CallbackFormat>>;

type Callback = Omit<typeof orderCallbacks.$inferInsert, 'created_at'>;

/** Registers where the result of an order goes; again for the same order, it changes nothing. Check the URL before. */
export async function registerCallback({ db, clock, queue }: Deps, callback: Callback): Promise<void> {
  const { generation_id, events } = callback;
  await db.transaction(async (tx) => {
    // Locked, so that its end either sees the callback or is seen here.
    const [order] = await tx
      .select({ status: generations.status, created_by: generations.created_by })
      .from(generations)
      .where(eq(generations.id, generation_id))
      .for('share');
    const [added] = await tx
      .insert(orderCallbacks)
      .values({ ...callback, created_at: clock.now() })
      .onConflictDoNothing()
      .returning();
    if (!added || !order) return;
    const due = events.filter((event) => event === 'started' || isFinal(order));
    for (const event of due) await enqueue({ clock, queue }, tx, { callback: added, key_id: order.created_by, event });
  });
}

const isFinal = ({ status }: Pick<GenerationRow, 'status'>): boolean => !isActive(status) && status !== 'manual_review';

/** Sends the result of an order to its callback, if it has one, as soon as the transaction commits. */
export async function enqueueCallback(
  deps: Pick<Deps, 'clock' | 'queue'>,
  tx: Tx,
  { id, status, created_by: key_id }: GenerationRow,
): Promise<void> {
  if (!isFinal({ status })) return;
  const [callback] = await tx.select().from(orderCallbacks).where(eq(orderCallbacks.generation_id, id));
  if (callback?.events.includes('completed')) await enqueue(deps, tx, { callback, key_id, event: 'completed' });
}

async function enqueue(
  { clock, queue }: Pick<Deps, 'clock' | 'queue'>,
  tx: Tx,
  { callback, key_id, event }: { callback: typeof orderCallbacks.$inferSelect; key_id: string; event: CallbackEvent },
): Promise<void> {
  const { generation_id, organization_id, url } = callback;
  const receiver = `${key_id} ${new URL(url).hostname}`;
  await tx
    .insert(callbackDeliveries)
    .values({ generation_id, event, organization_id, key_id, receiver, next_attempt_at: clock.now() })
    .onConflictDoNothing();
  await enqueueDelivery({ queue }, tx, generation_id);
}

/** @returns the number of callbacks */
export const purgeCallbacks = ({ db, clock }: { db: Db; clock: Deps['clock'] }): Promise<number> =>
  deleteInBatches(
    db,
    orderCallbacks,
    lt(orderCallbacks.created_at, new Date(clock.now().getTime() - EVENT_RETENTION_MS)),
  );
