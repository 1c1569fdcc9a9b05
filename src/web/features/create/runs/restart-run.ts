import type { QueryClient } from '@tanstack/react-query';
import { newIdempotencyKey } from '#web/api/queries/idempotency-key.ts';
import type { GenerationRequest } from '#web/api/queries/generations.ts';
import { removeRun, type Run, updateRun } from './runs.ts';
import { startGenerationRun, submitRun } from './start-generation-run.ts';

/** Each run has its own idempotency key, so that they succeed or fail independently. */
export function startSideBySideRuns(client: QueryClient, bodies: readonly GenerationRequest['body'][]): void {
  const group = newIdempotencyKey();
  for (const body of bodies) startGenerationRun(client, body, { group });
}

/** Retries under the same idempotency key if the service may have accepted the request; else as a new run. */
export function retryRun(client: QueryClient, run: Run): void {
  if (!run.problem) return;
  if (run.problem.unsure) {
    updateRun(run.id, { problem: null });
    void submitRun(client, { ...run, problem: null });
    return;
  }
  removeRun(run.id);
  startGenerationRun(client, run.order.body, { group: run.group, retry_of: run.retry_of });
}
