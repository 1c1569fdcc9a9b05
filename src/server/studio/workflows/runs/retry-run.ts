import type { Deps } from '#server/platform/deps.ts';
import { eq } from 'drizzle-orm';
import type { WorkflowEstimate } from '#contract/resources/workflow-starter.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { type PreparedOrder, assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { workflowRuns } from '#server/platform/db/workflow-schema.ts';
import { type RetryAttempt, validateRetry } from '#server/studio/generations/validate-retry.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { presentEstimate } from '#server/studio/workflows/estimate/present-estimate.ts';
import { assertReachable, prepareRunOrder, validateOwnMedia } from './create-run.ts';
import { findRun } from './find-run.ts';
import { type RetryPlan, belowInputs, planRetry } from './plan-retry.ts';
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
  const problem = validateRetry('run', id, await readChain(deps.db, run.chain_id));
  if (problem) {
    // The same request may have started the retry in the meantime.
    const stored = idempotentRequest && (await findStoredResponse<WorkflowRun>(deps, idempotentRequest));
    if (stored) return stored;
    throw problem;
  }
  const prepared = await planOrder(deps, caller, run, inputs);
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    await assertNeedsNoApproval(tx, caller, prepared);
    const body = await prepared.place(tx);
    const target = { type: 'workflow_run', id, name: run.starter_slug };
    const change = { action: 'workflow_run.retried', target, after: { id: body.id } } as const;
    await recordAuditEvent(tx, caller, change, deps.clock.now());
    return { status: 201, body };
  });
}

/** Validates and estimates a retry without starting it. @throws {ApiError} like `retryRun` */
export async function prepareRunRetry(deps: Deps, caller: Caller, { id, inputs }: RetryRequest) {
  const { run } = await findRun(deps.db, caller.organization_id, id);
  const problem = validateRetry('run', id, await readChain(deps.db, run.chain_id));
  if (problem) throw problem;
  return { ...(await planOrder(deps, caller, run, inputs)), starter_slug: run.starter_slug };
}

async function planOrder(
  deps: Deps,
  caller: Caller,
  run: RunRow,
  inputs: RetryRequest['inputs'],
): Promise<PreparedOrder<WorkflowRun>> {
  const { id, chain_id } = run;
  const plan = await planRetry(deps, caller, run, inputs);
  if (plan.changed.size > 0) await belowInputs(() => assertMedia(deps, caller, plan));
  const { metadata, tags } = run;
  const prepared = prepareRunOrder(deps, caller, { ...plan, metadata, tags }, { of: id, chain_id, kept: plan.kept });
  return {
    ...prepared,
    async place(tx) {
      await tx
        .select({ id: workflowRuns.id })
        .from(workflowRuns)
        .where(eq(workflowRuns.id, chain_id))
        .for('no key update');
      const problem = validateRetry('run', id, await readChain(tx, chain_id));
      if (problem) throw problem;
      return prepared.place(tx);
    },
  };
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
  const problem = validateRetry('run', id, await readChain(deps.db, run.chain_id));
  if (problem) throw problem;
  const { estimates, keptKeys } = await planRetry(deps, caller, run, inputs);
  return presentEstimate(run.starter_slug, estimates, keptKeys);
}

const readChain = (db: Pick<Tx, 'select'>, chain_id: string): Promise<RetryAttempt[]> =>
  db
    .select({ id: workflowRuns.id, status: workflowRuns.status, retry_of: workflowRuns.retry_of })
    .from(workflowRuns)
    .where(eq(workflowRuns.chain_id, chain_id));
