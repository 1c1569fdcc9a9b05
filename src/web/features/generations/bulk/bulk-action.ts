import { type QueryClient } from '@tanstack/react-query';
import { createAtom, useSelector } from '@tanstack/react-store';
import type { Generation } from '#contract/resources/generation.ts';
import { api } from '#web/api/api.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { invalidate } from '#web/api/api-query.ts';
import { cacheGenerationRow } from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import { BILLING_READS, GENERATION_LISTS } from '#web/api/queries/stale-endpoints.ts';
import { onSessionChange } from '#web/api/session/session.ts';

interface BulkFailure {
  generation: Generation;
  message: string;
}

/** A generation of a bulk action. The key makes a retry that is sent again take effect once. */
interface BulkItem {
  generation: Generation;
  idempotency_key: string;
}

export interface BulkAction {
  kind: 'cancel' | 'retry';
  total: number;
  succeeded: number;
  failures: readonly BulkFailure[];
  pending: readonly BulkItem[];
  state: 'running' | 'stopped' | 'finished';
  /** Why it stopped; null: the person stopped it. */
  problem: string | null;
}

/** It goes on while the person looks at other pages. */
export const bulkAction = createAtom<BulkAction | null>(null);

export const useBulkAction = (): BulkAction | null => useSelector(bulkAction);
export const clearBulkAction = (): void => bulkAction.set(null);
onSessionChange((state) => state === 'signed_out' && clearBulkAction());

const change = (update: (action: BulkAction) => Partial<BulkAction>): void =>
  bulkAction.set((action) => action && { ...action, ...update(action) });

export function stopBulkAction(): void {
  change(() => ({ state: 'stopped', problem: null }));
}

export function startBulkAction(
  client: QueryClient,
  kind: BulkAction['kind'],
  generations: readonly Generation[],
): void {
  const pending = generations.map((generation) => ({ generation, idempotency_key: newIdempotencyKey() }));
  bulkAction.set({ kind, total: pending.length, succeeded: 0, failures: [], pending, state: 'stopped', problem: null });
  void resumeBulkAction(client);
}

interface Outcome {
  succeeded: number;
  failures: readonly BulkFailure[];
}

const BATCH_SIZES = { cancel: 50, retry: 4 } as const;

/** Continues with what is pending. A batch whose response was lost is sent again, without a second effect. */
export async function resumeBulkAction(client: QueryClient): Promise<void> {
  if (bulkAction.get()?.state !== 'stopped') return;
  change(() => ({ state: 'running', problem: null }));
  for (;;) {
    const action = bulkAction.get();
    if (action?.state !== 'running') break;
    const batch = action.pending.slice(0, BATCH_SIZES[action.kind]);
    if (batch.length === 0) {
      change(() => ({ state: 'finished' }));
      break;
    }
    try {
      const { succeeded, failures } = await runners[action.kind](client, batch);
      change((current) => ({
        succeeded: current.succeeded + succeeded,
        failures: [...current.failures, ...failures],
        pending: current.pending.filter((item) => !batch.includes(item)),
      }));
    } catch (error) {
      change(() => ({ state: 'stopped', problem: messageOf(error) }));
    }
  }
  void invalidate(client, GENERATION_LISTS, 'get_generation', 'get_activity', ...BILLING_READS);
}

const runners = {
  cancel: cancelBatch,
  retry: retryBatch,
} satisfies Record<BulkAction['kind'], (client: QueryClient, batch: readonly BulkItem[]) => Promise<Outcome>>;

async function cancelBatch(client: QueryClient, batch: readonly BulkItem[]): Promise<Outcome> {
  const { canceled, kept } = await api.call('cancel_generations', {
    body: { ids: batch.map(({ generation }) => generation.id) },
  });
  const generations = new Map(batch.map(({ generation }) => [generation.id, generation]));
  for (const id of canceled) {
    const known = generations.get(id);
    if (known) cacheGenerationRow(client, { ...known, status: 'canceled', progress: null });
  }
  const failures = kept.flatMap(({ id, status }) => {
    const generation = generations.get(id);
    const message = status === null ? 'It no longer exists.' : 'It had already finished.';
    // A batch that is sent again finds what it has canceled.
    return generation && status !== 'canceled' ? [{ generation, message }] : [];
  });
  return { succeeded: batch.length - failures.length, failures };
}

async function retryBatch(_client: QueryClient, batch: readonly BulkItem[]): Promise<Outcome> {
  const results = await Promise.allSettled(
    batch.map(({ generation, idempotency_key }) =>
      api.call('retry_generation', { params: { generation_id: generation.id }, idempotency_key }),
    ),
  );
  const failures = results.flatMap((result, at) => {
    const item = batch[at];
    return result.status === 'rejected' && item
      ? [{ generation: item.generation, error: result.reason as unknown }]
      : [];
  });
  const stopping = failures.find(({ error }) => stopsAll(error));
  if (stopping) throw stopping.error;
  return {
    succeeded: batch.length - failures.length,
    failures: failures.map(({ generation, error }) => ({ generation, message: messageOf(error) })),
  };
}

/** Whether the next ones would fail as well: without funds, above the rate limit, or while the service is down. */
const stopsAll = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || [401, 402, 429].includes(error.status);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'The service did not respond.');
