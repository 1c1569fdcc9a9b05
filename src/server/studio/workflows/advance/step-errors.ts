import { and, eq } from 'drizzle-orm';
import type { GenerationFailure } from '#server/studio/generations/failure.ts';
import { UNKNOWN_FAILURE } from '#server/studio/generations/failure.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import { workflowSteps } from '#server/platform/db/schema/workflow-schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type StepOutcome, lockRun } from './run-state.ts';

/** Keeps a step from creating its generation. `message` is a sentence for people. */
export class StepError extends Error {
  override readonly name = 'StepError';
  readonly code: 'expression_failed' | 'list_too_long';

  constructor(code: StepError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const RETRYABLE = new Set(['insufficient_balance', 'task_unavailable', 'model_unavailable', 'service_unavailable']);

/** @throws the error itself if it says nothing about the step, such as an unreachable database */
export function toStepFailure({ log }: Deps, error: unknown, context: Record<string, unknown>): GenerationFailure {
  if (error instanceof StepError) return { code: error.code, message: error.message, retryable: false };
  if (error instanceof ApiError && error.status < 500) {
    return { code: error.code, message: error.message, retryable: RETRYABLE.has(error.code) };
  }
  if (error instanceof ApiError || isDatabaseUnreachable(error) || sqlStateOf(error) !== undefined) throw error;
  log.error({ err: error, ...context }, 'workflow step failed unexpectedly');
  return UNKNOWN_FAILURE;
}

export const keyRevokedFailure = (keyName: string): GenerationFailure => ({
  code: 'key_revoked',
  message: `The key “${keyName}” was revoked, so this step did not start.`,
  retryable: true,
});

/** The outcome for refusals by a limit of the key or its revocation, which say nothing about the step. */
export function outcomeOfRejection(error: unknown): StepOutcome | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'rate_limit_exceeded') return 'full';
  return error.code === 'authentication_error' ? 'look' : null;
}

export async function completeStep(
  { db, clock }: Deps,
  { run_id, key }: { run_id: string; key: string },
  end: { state: 'skipped' | 'stopped' } | { state: 'failed'; error: GenerationFailure },
): Promise<StepOutcome> {
  await db.transaction(async (tx) => {
    if (!(await lockRun(tx, run_id))) return;
    await tx
      .update(workflowSteps)
      .set({ ...end, ended_at: clock.now() })
      .where(and(eq(workflowSteps.run_id, run_id), eq(workflowSteps.key, key), eq(workflowSteps.state, 'waiting')));
  });
  return 'look';
}
