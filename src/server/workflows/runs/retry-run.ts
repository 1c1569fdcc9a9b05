import { eq } from 'drizzle-orm';
import type { WorkflowEstimate } from '#contract/resources/workflow-estimate.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { Caller } from '#server/core/caller.ts';
import type { Tx } from '#server/db/db.ts';
import { workflowRuns } from '#server/db/workflow-schema.ts';
import { type RetryAttempt, validateRetry } from '#server/generations/validate-retry.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/idempotency/with-idempotency.ts';
import { skippedStepKeys } from '../estimate/estimate-workflow.ts';
import { presentBounds, presentEstimate, sumBounds } from '../estimate/present-estimate.ts';
import { assertFunds } from './assert-funds.ts';
import { type CreateRunDeps, assertReachable, validateOwnMedia } from './create-run.ts';
import { findRun, readRun } from './find-run.ts';
import { insertRun } from './insert-run.ts';
import { type RetryPlan, belowInputs, planRetry } from './plan-retry.ts';

interface RetryRequest {
  id: string;
  inputs: Readonly<Record<string, unknown>> | undefined;
}

/**
 * A new run keeps finished steps and pays for the others. Decision: Workflow retry
 * @throws {ApiError} 404 `workflow_run_not_found`; 409 by the rules of the chain; 400; 402; 422; 503
 */
export async function retryRun(
  deps: CreateRunDeps,
  caller: Caller,
  { id, inputs }: RetryRequest,
  idempotent_request: IdempotentRequest | undefined,
): Promise<StoredResponse<WorkflowRun>> {
  const stored = idempotent_request && (await findStoredResponse<WorkflowRun>(deps, idempotent_request));
  if (stored) return stored;
  const { run } = await findRun(deps, caller.organization_id, id);
  const { chain_id } = run;
  const problem = validateRetry('run', id, await readChain(deps.db, chain_id));
  if (problem) {
    // The same request may have started the retry in the meantime.
    const stored = idempotent_request && (await findStoredResponse<WorkflowRun>(deps, idempotent_request));
    if (stored) return stored;
    throw problem;
  }
  const plan = await planRetry(deps, caller, run, inputs);
  if (plan.changed.size > 0) await belowInputs(() => assertMedia(deps, caller, plan));
  const { workflow, input, kept, estimates } = plan;
  const bounds = sumBounds(estimates);
  return withIdempotency(deps, idempotent_request, async (tx) => {
    await tx
      .select({ id: workflowRuns.id })
      .from(workflowRuns)
      .where(eq(workflowRuns.id, chain_id))
      .for('no key update');
    const problem = validateRetry('run', id, await readChain(tx, chain_id));
    if (problem) throw problem;
    await assertFunds(tx, caller, bounds.minimum_micro_usd, deps.clock.now());
    const retry = { of: id, chain_id, kept };
    const retried = await insertRun(deps, tx, caller, {
      workflow,
      input,
      estimate: presentBounds(bounds),
      skipped: skippedStepKeys(estimates),
      retry,
    });
    return { status: 201, body: await readRun({ ...deps, db: tx }, caller.organization_id, retried) };
  });
}

/** Unchanged media and links were checked when the run started; a step that still needs a deleted one fails. */
async function assertMedia(
  deps: CreateRunDeps,
  { organization_id }: Caller,
  { workflow, input, changed }: RetryPlan,
): Promise<void> {
  const changed_input = Object.fromEntries(Object.entries(input).filter(([name]) => changed.has(name)));
  await assertReachable(deps, await validateOwnMedia(deps, organization_id, workflow, changed_input));
}

/**
 * Decision: Workflow retry
 * @throws {ApiError} 404 `workflow_run_not_found`; 409 by the rules of the chain; 422; 503
 */
export async function estimateRetry(
  deps: CreateRunDeps,
  caller: Caller,
  { id, inputs }: RetryRequest,
): Promise<WorkflowEstimate> {
  const { run } = await findRun(deps, caller.organization_id, id);
  const problem = validateRetry('run', id, await readChain(deps.db, run.chain_id));
  if (problem) throw problem;
  const { estimates, kept_keys } = await planRetry(deps, caller, run, inputs);
  return presentEstimate(run.starter_slug, estimates, kept_keys);
}

const readChain = (db: Pick<Tx, 'select'>, chain_id: string): Promise<RetryAttempt[]> =>
  db
    .select({ id: workflowRuns.id, status: workflowRuns.status, retry_of: workflowRuns.retry_of })
    .from(workflowRuns)
    .where(eq(workflowRuns.chain_id, chain_id));
