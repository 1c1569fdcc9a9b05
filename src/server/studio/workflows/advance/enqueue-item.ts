import { and, eq, isNull, sql } from 'drizzle-orm';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { workflowItems, workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import type { GenerationFailure } from '#server/studio/generations/failure.ts';
import { validateRequest } from '#server/models/catalog/validate-request.ts';
import { type NewGeneration, planGeneration } from '#server/studio/generations/create/plan-generation.ts';
import { priceRequest } from '#server/studio/generations/create/price-request.ts';
import { writeGeneration } from '#server/studio/generations/create/write-generation.ts';
import { normalizeInput } from '#server/studio/workflows/definition/normalize-input.ts';
import type { ItemRow, RunRow } from '#server/studio/workflows/runs/run-steps.ts';
import { fillTemplates, buildScope } from './fill-templates.ts';
import { type StepOutcome, type StepContext, lockRun } from './run-state.ts';
import { outcomeOfRejection, keyRevokedFailure, toStepFailure } from './step-errors.ts';

/** One transaction reserves, queues and records, so an interrupted call leaves nothing and a repeat changes nothing. */
export async function enqueueItem(context: StepContext, item: ItemRow, signal: AbortSignal): Promise<StepOutcome> {
  const { deps, state } = context;
  if (state.keyRevokedAt) return failItem(context, item, keyRevokedFailure(state.key_name));
  try {
    const priced = await priceStepRequest(context, item, signal);
    await deps.db.transaction(async (tx) => {
      const run = await lockRun(tx, state.run.id);
      if (!run) return;
      const [pendingItem] = await tx
        .select({ index: workflowItems.index })
        .from(workflowItems)
        .where(isItemPending(item));
      if (!pendingItem) return;
      const generationId = await enqueueStepGeneration(context, tx, run, priced);
      await tx.update(workflowItems).set({ generation_id: generationId }).where(isItemPending(item));
    });
    return 'wait';
  } catch (error) {
    signal.throwIfAborted();
    const logContext = { run_id: state.run.id, step: item.step_key, index: item.index };
    return outcomeOfRejection(error) ?? failItem(context, item, toStepFailure(deps, error, logContext));
  }
}

async function failItem({ deps, state }: StepContext, item: ItemRow, error: GenerationFailure): Promise<StepOutcome> {
  await deps.db.transaction(async (tx) => {
    if (!(await lockRun(tx, state.run.id))) return;
    await tx.update(workflowItems).set({ error, ended_at: deps.clock.now() }).where(isItemPending(item));
  });
  return 'look';
}

const isItemPending = ({ run_id, step_key, index }: ItemRow) =>
  and(
    eq(workflowItems.run_id, run_id),
    eq(workflowItems.step_key, step_key),
    eq(workflowItems.index, index),
    isNull(workflowItems.generation_id),
    isNull(workflowItems.error),
  );

type PricedRequest = Pick<NewGeneration, 'order' | 'price'>;

/**
 * @param item null for a step without a list
 * @throws {StepError} if an expression fails; {ApiError} if the request is refused
 */
export async function priceStepRequest(
  context: StepContext,
  item: Pick<ItemRow, 'item' | 'index'> | null,
  signal: AbortSignal,
): Promise<PricedRequest> {
  const { deps, state, step } = context;
  const input = await buildStepInput(context, item);
  const { organization_id } = state.run;
  const request = { task: step.task, model: step.model, input };
  const order = validateRequest(deps, ownMediaOrigin(deps.config), { organization_id }, request);
  return { order, price: await priceRequest(deps, organization_id, order, signal) };
}

export async function enqueueStepGeneration(
  { deps, state }: StepContext,
  tx: Tx,
  run: RunRow,
  priced: PricedRequest,
): Promise<string> {
  const { organization_id, created_by: key_id, metadata, tags } = run;
  const caller = { organization_id, key_id, key_name: state.key_name };
  if (run.status !== 'running') {
    const now = deps.clock.now();
    const startedAt = sql`coalesce(${workflowRuns.started_at}, ${now.toISOString()}::timestamptz)`;
    await tx
      .update(workflowRuns)
      .set({ status: 'running', started_at: startedAt, updated_at: now })
      .where(eq(workflowRuns.id, run.id));
  }
  const plan = planGeneration(deps, caller, { ...priced, metadata, tags, workflow_run_id: run.id });
  // Last, because it locks the account.
  await writeGeneration(deps, tx, plan);
  return plan.row.id;
}

async function buildStepInput(
  context: StepContext,
  item: Pick<ItemRow, 'item' | 'index'> | null,
): Promise<Record<string, unknown>> {
  const { step } = context;
  const parts = Object.values(step.input);
  const scope = { ...(await buildScope(context, parts)), ...(item ? { item: item.item, index: item.index } : {}) };
  const names = Object.keys(step.input);
  const values = await fillTemplates(context, parts, scope);
  const filled = names.flatMap((name, index) => (values[index] === undefined ? [] : [[name, values[index]] as const]));
  return normalizeInput(step.contract, Object.fromEntries(filled));
}
