import { eq, lt } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { deleteInBatches } from '#server/platform/db/delete-batches.ts';
import { generations } from '#server/platform/db/schema.ts';
import { orderCallbacks } from '#server/platform/db/webhook-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { readGeneration } from '#server/studio/generations/find-generation.ts';
import type { GenerationRow } from '#server/studio/generations/present-generation.ts';
import { ATTEMPT_TIMEOUT_MS, EVENT_RETENTION_MS } from './retry-schedule.ts';

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
  build(deps: Deps, organization_id: string, order: Generation, event: CallbackEvent): Promise<CallbackRequest | null>;
}

export type CallbackFormats = Readonly<Record<string, CallbackFormat>>;

type Callback = Omit<typeof orderCallbacks.$inferInsert, 'created_at'>;

/** Registers where the result of an order goes; again for the same order, it changes nothing. Check the URL before. */
export async function registerCallback({ db, clock, queue }: Deps, callback: Callback): Promise<void> {
  const { generation_id, events } = callback;
  await db.transaction(async (tx) => {
    // Locked, so that its end either sees the callback or is seen here.
    const [order] = await tx
      .select({ status: generations.status })
      .from(generations)
      .where(eq(generations.id, generation_id))
      .for('share');
    const [added] = await tx
      .insert(orderCallbacks)
      .values({ ...callback, created_at: clock.now() })
      .onConflictDoNothing()
      .returning();
    if (!added || !order) return;
    if (events.includes('started')) await queue.send(tx, 'callback.send', { generation_id, event: 'started' });
    if (isFinal(order)) await enqueueEnd({ queue }, tx, added);
  });
}

const isFinal = ({ status }: Pick<GenerationRow, 'status'>): boolean => !isActive(status) && status !== 'manual_review';

/** Sends the result of an order to its callback, if it has one, as soon as the transaction commits. */
export async function enqueueCallback(deps: Pick<Deps, 'queue'>, tx: Tx, row: GenerationRow): Promise<void> {
  if (!isFinal(row)) return;
  const [callback] = await tx.select().from(orderCallbacks).where(eq(orderCallbacks.generation_id, row.id));
  if (callback) await enqueueEnd(deps, tx, callback);
}

async function enqueueEnd(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  { generation_id, events }: Pick<Callback, 'generation_id' | 'events'>,
): Promise<void> {
  if (events.includes('completed')) await queue.send(tx, 'callback.send', { generation_id, event: 'completed' });
}

const CONCURRENCY = 4;

/**
 * Sends what was enqueued, at least once; a receiver that does not answer is tried again for about a day.
 * @returns a function that stops claiming and resolves when active requests have ended
 */
export const startCallbacks = (
  deps: Deps,
  formats: CallbackFormats,
  signal: AbortSignal,
): Promise<() => Promise<void>> =>
  deps.queue.work('callback.send', CONCURRENCY, ({ generation_id, event }) =>
    sendCallback(deps, formats, { generation_id, event, signal }),
  );

async function sendCallback(
  deps: Deps,
  formats: CallbackFormats,
  { generation_id, event, signal }: { generation_id: string; event: CallbackEvent; signal: AbortSignal },
): Promise<void> {
  const { db, fetcher, log } = deps;
  const [callback] = await db.select().from(orderCallbacks).where(eq(orderCallbacks.generation_id, generation_id));
  const format = callback && formats[callback.format];
  if (!format) return;
  const { organization_id, url } = callback;
  const order = await readGeneration(deps, organization_id, generation_id);
  const request = await format.build(deps, organization_id, order, event);
  if (!request) return;
  const headers = { 'content-type': 'application/json', ...request.headers };
  const problem = await fetcher.post(url, { headers, body: request.body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal }).then(
    ({ status_code }) => (status_code >= 200 && status_code <= 299 ? null : `status ${status_code}`),
    (error: unknown) => {
      if (error instanceof OutboundError) return error.code;
      throw error;
    },
  );
  if (problem === null) return;
  log.warn({ generation_id, event, reason: problem }, 'could not send a result to its address; it is retried');
  throw new Error('The callback was not acknowledged.');
}

/** @returns the number of callbacks */
export const purgeCallbacks = ({ db, clock }: { db: Db; clock: Deps['clock'] }): Promise<number> =>
  deleteInBatches(
    db,
    orderCallbacks,
    lt(orderCallbacks.created_at, new Date(clock.now().getTime() - EVENT_RETENTION_MS)),
  );
