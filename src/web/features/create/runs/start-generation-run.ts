import type { QueryClient } from '@tanstack/react-query';
import type { ErrorDetail } from '#contract/api/errors.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { ApiError, NetworkError } from '#web/api/api-errors.ts';
import { addRun, updateRun, removeRun, type Run, type RunProblem } from './runs.ts';
import {
  cacheGeneration,
  createGenerationMutation,
  type GenerationRequest,
  retryGenerationMutation,
} from '#web/api/queries/generations.ts';
import { tagMetadata } from '#web/forms/tags/tag-metadata.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';

export function toRunProblem(error: unknown): RunProblem {
  if (error instanceof ApiError) {
    const { code, message, status, budget } = error;
    return { code, message, unsure: status >= 500, ...(budget ? { budget } : {}) };
  }
  const message = error instanceof Error ? error.message : 'The request could not be sent.';
  return { code: 'network', message, unsure: error instanceof NetworkError };
}

export interface StartRunOptions {
  /** Called with the details of a validation error instead of showing it on the run. */
  onInvalid?: ((details: readonly ErrorDetail[]) => void) | undefined;
  group?: string | undefined;
  /** The generation that it retries. */
  retry_of?: string | undefined;
}

/** Sends the request of a run: a new generation, or the retry of one. */
async function sendRun(client: QueryClient, { order, retry_of }: Run): Promise<Generation> {
  const cache = client.getMutationCache();
  if (retry_of === undefined)
    return cache.build(client, client.defaultMutationOptions(createGenerationMutation)).execute(order);
  const retry = cache.build(client, client.defaultMutationOptions(retryGenerationMutation));
  return retry.execute({ id: retry_of, idempotency_key: order.idempotency_key });
}

/** Sends the request of a run and stores its outcome. */
export async function submitRun(
  client: QueryClient,
  run: Run,
  onInvalid?: StartRunOptions['onInvalid'],
): Promise<void> {
  try {
    const generation = await sendRun(client, run);
    updateRun(run.id, { generation_id: generation.id, problem: null });
    cacheGeneration(client, generation);
  } catch (error) {
    if (error instanceof ApiError && error.details.length > 0 && onInvalid) {
      removeRun(run.id);
      onInvalid(error.details);
      return;
    }
    updateRun(run.id, { problem: toRunProblem(error) });
  }
}

/** Adds a run and submits its request under a new idempotency key. */
export function startGenerationRun(
  client: QueryClient,
  body: GenerationRequest['body'],
  { onInvalid, group, retry_of }: StartRunOptions = {},
): void {
  const id = newIdempotencyKey();
  const run = {
    id,
    order: { body: { ...tagMetadata(), ...body }, idempotency_key: id },
    startedAtMs: Date.now(),
    generation_id: null,
    problem: null,
    ...(group ? { group } : {}),
    ...(retry_of ? { retry_of } : {}),
  };
  addRun(run);
  void submitRun(client, run, onInvalid);
}
