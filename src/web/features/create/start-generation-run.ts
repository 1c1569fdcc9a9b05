import type { QueryClient } from '@tanstack/react-query';
import type { ErrorDetail } from '#contract/errors.ts';
import { ApiError } from '#web/api/api-errors.ts';
import { addRun, updateRun, removeRun, type Run, type RunProblem } from './runs.ts';
import { createGenerationMutation, cacheGeneration, type GenerationRequest } from '#web/api/queries/generations.ts';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';

function toRunProblem(error: unknown): RunProblem {
  if (error instanceof ApiError) {
    const { code, message, status, budget } = error;
    return { code, message, unsure: status >= 500, ...(budget ? { budget } : {}) };
  }
  const message = error instanceof Error ? error.message : 'The order could not be sent.';
  return { code: 'network', message, unsure: true };
}

/** Sends the order of a run, and writes down what became of it. */
async function submitRun(
  client: QueryClient,
  run: Run,
  onRefused?: (details: readonly ErrorDetail[]) => void,
): Promise<void> {
  try {
    const mutation = client.getMutationCache().build(client, client.defaultMutationOptions(createGenerationMutation));
    const generation = await mutation.execute(run.order);
    updateRun(run.id, { generation_id: generation.id, problem: null });
    cacheGeneration(client, generation);
  } catch (error) {
    if (error instanceof ApiError && error.details.length > 0 && onRefused) {
      // Its problems are shown at their fields; as a result it would say nothing more.
      removeRun(run.id);
      onRefused(error.details);
      return;
    }
    updateRun(run.id, { problem: toRunProblem(error) });
  }
}

/**
 * Starts a generation: one press, one key.
 * @param onRefused the input was refused; gets what is wrong with it. Without it, the run itself says so
 */
export function startGenerationRun(
  client: QueryClient,
  body: GenerationRequest['body'],
  onRefused?: (details: readonly ErrorDetail[]) => void,
): void {
  start(client, body, { onRefused });
}

/** Starts several at once, each with a key of its own: what becomes of one does not touch the others. */
export function startSideBySideRuns(client: QueryClient, bodies: readonly GenerationRequest['body'][]): void {
  const group = newIdempotencyKey();
  for (const body of bodies) start(client, body, { group });
}

interface StartOptions {
  onRefused?: ((details: readonly ErrorDetail[]) => void) | undefined;
  group?: string | undefined;
}

function start(client: QueryClient, body: GenerationRequest['body'], { onRefused, group }: StartOptions): void {
  const id = newIdempotencyKey();
  const run = {
    id,
    order: { body, idempotency_key: id },
    started_at_ms: Date.now(),
    generation_id: null,
    problem: null,
    ...(group ? { group } : {}),
  };
  addRun(run);
  void submitRun(client, run, onRefused);
}

/** Sends an order that failed once more: under its key where it may have arrived, else as a new one. */
export function resendRun(client: QueryClient, run: Run): void {
  if (!run.problem) return;
  if (run.problem.unsure) {
    const waiting = { ...run, problem: null };
    updateRun(run.id, { problem: null });
    void submitRun(client, waiting);
    return;
  }
  removeRun(run.id);
  start(client, run.order.body, { group: run.group });
}
