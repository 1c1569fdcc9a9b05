import type { Deps } from '#server/platform/deps.ts';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { presentEstimate } from '#server/studio/workflows/estimate/present-estimate.ts';
import { type RunPlan, assertReachable, buildRunPlan, validateOwnMedia, writeRun } from './create-run.ts';
import { findRun } from './find-run.ts';
import { type RetryPlan, belowInputs, planRetry } from './plan-retry.ts';
import { assertRunRetryable } from './run-chain.ts';
import type { RunRow } from './run-steps.ts';

interface RetryRequest {
  id: string;
  inputs: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A new run keeps finished steps and pays for the others. Decision: Workflow retry
 * @throws {ApiError} 404 `workflow_run_not_found`; 409 by the rules of the chain; 400; 402; 422; 503
 */
export async function retryRun(
  deps: Deps,
  caller: Caller,
  { id, inputs }: RetryRequest,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<StoredResponse<WorkflowRun>> {
  const stored = idempotentRequest && (await findStoredResponse<WorkflowRun>(deps, idempotentRequest));
  if (stored) return stored;
  const { run } = await findRun(deps.db, caller.organization_id, id);
  try {
    await assertRunRetryable(deps.db, run);
  } catch (error) {
    // The same request may have started the retry in the meantime.
    const response = idempotentRequest && (await findStoredResponse<WorkflowRun>(deps, idempotentRequest));
    if (response) return response;
    throw error;
  }
  const plan = await planRepeat(deps, caller, run, inputs);
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    await assertNeedsNoApproval(tx, caller, plan);
    const body = await writeRun(deps, tx, caller, plan);
    const target = { type: 'workflow_run', id, name: run.starter_slug };
    const change = { action: 'workflow_run.retried', target, after: { id: body.id } } as const;
    await recordAuditEvent(tx, caller, change, deps.clock.now());
    return { status: 201, body };
  });
}

/** Validates and estimates a retry without starting it. @throws {ApiError} like `retryRun` */
export async function planRunRetry(deps: Deps, caller: Caller, { id, inputs }: RetryRequest) {
  const { run } = await findRun(deps.db, caller.organization_id, id);
  await assertRunRetryable(deps.db, run);
  return { ...(await planRepeat(deps, caller, run, inputs)), starter_slug: run.starter_slug };
}

async function planRepeat(deps: Deps, caller: Caller, run: RunRow, inputs: RetryRequest['inputs']): Promise<RunPlan> {
  const { id, chain_id } = run;
  const plan = await planRetry(deps, caller, run, inputs);
  if (plan.changed.size > 0) await belowInputs(() => assertMedia(deps, caller, plan));
  const { metadata, tags } = run;
  return buildRunPlan({ ...plan, metadata, tags }, { of: id, chain_id, kept: plan.kept });
}

/** Unchanged media and links were checked when the run started; a step that still needs a deleted one fails. */
async function assertMedia(
  deps: Deps,
  { organization_id }: Caller,
  { workflow, input, changed }: RetryPlan,
): Promise<void> {
  const changedInput = Object.fromEntries(Object.entries(input).filter(([name]) => changed.has(name)));
  await assertReachable(deps, await validateOwnMedia(deps, organization_id, workflow, changedInput));
}

/**
 * Decision: Workflow retry
 * @throws {ApiError} 404 `workflow_run_not_found`; 409 by the rules of the chain; 422; 503
 */
export async function estimateRetry(
  deps: Deps,
  caller: Caller,
  { id, inputs }: RetryRequest,
): Promise<WorkflowEstimate> {
  const { run } = await findRun(deps.db, caller.organization_id, id);
  await assertRunRetryable(deps.db, run);
  const { estimates, keptKeys } = await planRetry(deps, caller, run, inputs);
  return presentEstimate(run.starter_slug, estimates, keptKeys);
}
