import type { BodyOf } from '#contract/api/endpoints.ts';
import { parseInput } from '#contract/parse-input.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { type PricedOrder, assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { type MediaFacts, validateMediaKinds } from '#server/studio/generations/create/validate-media.ts';
import { assertTagsAllowed } from '#server/models/added-models/added-models.ts';
import { validateTaskAndModel } from '#server/models/catalog/validate-request.ts';
import { MEDIA_GONE_MESSAGE, findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { extractReferences, type InputReference } from '#contract/task-input.ts';
import { assertInScope } from '#server/accounts/keys/assert-in-scope.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import type { Workflow } from '#server/studio/workflows/definition/workflow.ts';
import {
  type StepEstimate,
  estimateWorkflow,
  skippedStepKeys,
} from '#server/studio/workflows/estimate/estimate-workflow.ts';
import { presentBounds, sumBounds } from '#server/studio/workflows/estimate/present-estimate.ts';
import { readTagValues, type TagValues } from '#server/accounts/tags/read-tag-values.ts';
import { findStarter } from '#server/studio/workflows/starters/find-starter.ts';
import { readRun } from './find-run.ts';
import { type NewRun, insertRun } from './insert-run.ts';
import { assertRunRetryable, lockRunChain } from './run-chain.ts';
import { eq } from 'drizzle-orm';
import { budgetExceededError, insufficientFundsError } from '#server/accounts/billing/billing-errors.ts';
import { selectBudgetsOf } from '#server/accounts/billing/budgets.ts';
import { currentUsage } from '#server/accounts/billing/present-budget.ts';
import { accounts } from '#server/platform/db/schema/billing-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';

/**
 * Checks the funds for the minimum price, then inserts and enqueues. Decision: Workflow runs
 * @throws {ApiError} 422 for an unknown starter or an invalid input; 400; 402; 409; 503
 */
export async function createRun(
  deps: Deps,
  caller: Caller,
  body: BodyOf<'create_workflow_run'>,
  idempotentRequest: IdempotentRequest | undefined,
): Promise<StoredResponse<WorkflowRun>> {
  const stored = idempotentRequest && (await findStoredResponse<WorkflowRun>(deps, idempotentRequest));
  if (stored) return stored;
  const plan = await planRun(deps, caller, body);
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    await assertNeedsNoApproval(tx, caller, plan);
    return { status: 201, body: await writeRun(deps, tx, caller, plan) };
  });
}

/** Validates and estimates a run without starting it. @throws {ApiError} 400; 422; 503 */
export async function planRun(
  deps: Deps,
  caller: Caller,
  { starter_slug, input: rawInput, metadata = null }: BodyOf<'create_workflow_run'>,
): Promise<RunPlan> {
  const starter = await findStarter(deps, caller, starter_slug);
  if (!starter) throw unknownStarterError();
  const { workflow } = starter;
  const input = validateRunInput(deps, workflow, rawInput);
  const tags = await readTagValues(deps, caller, metadata);
  await assertReachable(deps, await validateOwnMedia(deps, caller.organization_id, workflow, input));
  const estimates = await estimateWorkflow(deps, caller, workflow, { input, is_complete: true });
  for (const { step, maximum_count } of estimates)
    if (maximum_count > 0) {
      assertInScope(caller, validateTaskAndModel(deps, caller, step.task, step.model));
      assertTagsAllowed(deps.offering.current(), step.model, tags);
    }
  return buildRunPlan({ workflow, input, estimates, metadata, tags });
}

interface RunOrder {
  workflow: Workflow;
  input: Record<string, unknown>;
  estimates: readonly StepEstimate[];
  metadata: Record<string, string> | null;
  tags: TagValues;
}

/** A run that `writeRun` starts. */
export interface RunPlan extends PricedOrder {
  run: NewRun;
  minimumMicroUsd: bigint;
}

/** @param retry what the run repeats, if it is a retry */
export function buildRunPlan({ estimates, ...order }: RunOrder, retry?: NewRun['retry']): RunPlan {
  const bounds = sumBounds(estimates);
  return {
    amount_micro_usd: bounds.maximum_micro_usd ?? bounds.minimum_micro_usd,
    is_bounded: bounds.maximum_micro_usd !== null,
    input: order.input,
    minimumMicroUsd: bounds.minimum_micro_usd,
    run: {
      ...order,
      estimate: presentBounds(bounds),
      skipped: skippedStepKeys(estimates),
      ...(retry ? { retry } : {}),
    },
  };
}

/** Starts a planned run, in the caller's transaction. @throws {ApiError} 401; 402; 409 if another retry came first */
export async function writeRun(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  { run, minimumMicroUsd }: RunPlan,
): Promise<WorkflowRun> {
  if (run.retry) {
    await lockRunChain(tx, run.retry.chain_id);
    await assertRunRetryable(tx, { id: run.retry.of, chain_id: run.retry.chain_id });
  }
  await assertFunds(tx, caller, minimumMicroUsd, deps.clock.now());
  const id = await insertRun(deps, tx, caller, run);
  return readRun({ ...deps, db: tx }, caller.organization_id, id);
}

function unknownStarterError(): ApiError {
  const message = 'Workflow starter not found.';
  return new ApiError('invalid_request', message, { status: 422, details: [{ path: 'starter_slug', message }] });
}

/** @throws {ApiError} 422 `invalid_request` */
export function validateRunInput(
  { config }: Deps,
  { contract }: Pick<Workflow, 'contract'>,
  rawInput: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = parseInput(contract, rawInput, ownMediaOrigin(config));
  if (parsed.ok) return parsed.input;
  throw new ApiError('invalid_request', parsed.details[0]?.message ?? 'The input is not valid.', {
    status: 422,
    details: parsed.details,
  });
}

/** @returns references to other servers @throws {ApiError} 400 `invalid_request` for missing or unsuitable own media */
export async function validateOwnMedia(
  deps: Deps,
  organizationId: string,
  { contract }: Pick<Workflow, 'contract'>,
  input: Readonly<Record<string, unknown>>,
): Promise<InputReference[]> {
  const references = extractReferences(contract, input);
  const known = new Map<string, MediaFacts>();
  for (const { path, url } of references) {
    const reference = await findLocalMedia(deps, organizationId, url);
    if (!reference.own) continue;
    if (!reference.medium) rejectInput(path, MEDIA_GONE_MESSAGE);
    known.set(path, { kind: reference.medium.type, duration_seconds: reference.medium.duration_seconds });
  }
  const problem = validateMediaKinds(references, known);
  if (problem) rejectInput(problem.path, problem.message);
  return references.filter(({ path }) => !known.has(path));
}

const REACHABILITY_TIMEOUT_MS = 10_000;
const MAX_CONCURRENT_CHECKS = 4;

/** Checks that links can be fetched before any step is paid for. @throws {ApiError} 400 `invalid_request` */
export async function assertReachable({ fetcher }: Deps, references: readonly InputReference[]): Promise<void> {
  const links = [...new Map(references.map((reference) => [reference.url, reference])).values()];
  const signal = AbortSignal.timeout(REACHABILITY_TIMEOUT_MS);
  const checkNext = async (): Promise<void> => {
    for (let link = links.shift(); link; link = links.shift()) {
      const { path, url } = link;
      await fetcher.assertReachable(url, { timeoutMs: REACHABILITY_TIMEOUT_MS, signal }).catch((error: unknown) => {
        if (signal.aborted)
          rejectInput(path, 'The file could not be loaded in time. Try again or upload it instead.', error);
        if (error instanceof OutboundError) rejectInput(path, error.message, error);
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, checkNext));
}

function rejectInput(path: string, message: string, cause?: unknown): never {
  const details = [{ path: `input.${path}`, message }];
  throw new ApiError('invalid_request', message, { status: 400, details, cause });
}

/** Reserves nothing: each step reserves its own price. @throws {ApiError} 402 `insufficient_balance` */
async function assertFunds(
  tx: Tx,
  { organization_id, key_id, person }: Pick<Caller, 'organization_id' | 'key_id' | 'person'>,
  needed: bigint,
  now: Date,
): Promise<void> {
  if (needed === 0n) return;
  const [account] = await tx.select().from(accounts).where(eq(accounts.organization_id, organization_id));
  const available = account?.available_micro_usd ?? 0n;
  if (available < needed) throw insufficientFundsError(needed, available);
  const personScopes = person ? ([`person:${person.id}`] as const) : [];
  const scopes = ['organization', `key:${key_id}`, ...personScopes] as const;
  const rows = await selectBudgetsOf(tx, organization_id, scopes);
  for (const { budget, scope_name } of rows) {
    const { left, limit, interval_start } = currentUsage(budget, now);
    if (needed <= left) continue;
    const { id, scope, interval, contact } = budget;
    throw budgetExceededError({
      id,
      scope,
      scope_name,
      interval,
      interval_start,
      contact,
      neededMicroUsd: needed,
      limit_micro_usd: limit,
      leftMicroUsd: left,
    });
  }
}
