import { and, eq } from 'drizzle-orm';
import { WORKFLOW_LIMITS } from '#contract/workflows/workflow-definition.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { workflowItems, workflowSteps } from '#server/platform/db/schema/workflow-schema.ts';
import { MAX_ITEMS_MESSAGE, toList, toMaxItems, isTrue } from '#server/studio/workflows/expression/values.ts';
import { fillTemplates, buildScope } from './fill-templates.ts';
import { enqueueStepGeneration, priceStepRequest } from './enqueue-item.ts';
import { type StepOutcome, type StepContext, lockRun } from './run-state.ts';
import { StepError, outcomeOfRejection, completeStep, keyRevokedFailure, toStepFailure } from './step-errors.ts';

const LABEL_FIELDS = ['name', 'title', 'caption', 'label', 'text', 'prompt', 'query'];
const MAX_LENGTH = 80;

function itemLabel(item: unknown): string | null {
  if (typeof item === 'string') return shorten(item);
  if (typeof item === 'number') return String(item);
  if (typeof item !== 'object' || item === null) return null;
  const values = LABEL_FIELDS.map((name): unknown => Reflect.get(item, name));
  const text = values.find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? shorten(text) : null;
}

function shorten(text: string): string | null {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  if (line === '') return null;
  const points = [...line];
  return points.length > MAX_LENGTH ? `${points.slice(0, MAX_LENGTH - 1).join('')}…` : line;
}

/** Skips the step if its condition is false, else creates its generation or records the items of its list. */
export async function startStep(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
  const { deps, state, step } = context;
  const at = { run_id: state.run.id, key: step.key };
  const { keyRevokedAt, key_name } = state;
  if (keyRevokedAt) return completeStep(deps, at, { state: 'failed', error: keyRevokedFailure(key_name) });
  try {
    if (!(await isConditionMet(context))) return await completeStep(deps, at, { state: 'skipped' });
    return await (step.for_each
      ? insertItems(context, await evaluateItems(context))
      : startSingleGeneration(context, signal));
  } catch (error) {
    signal.throwIfAborted();
    const next = outcomeOfRejection(error);
    if (next) return next;
    return completeStep(deps, at, { state: 'failed', error: toStepFailure(deps, error, at) });
  }
}

async function isConditionMet(context: StepContext): Promise<boolean> {
  const { when } = context.step;
  if (when === null) return true;
  const [value] = await fillTemplates(context, [when], await buildScope(context, [when]));
  return isTrue(value);
}

async function evaluateItems(context: StepContext): Promise<unknown[]> {
  const { for_each, max_items } = context.step;
  if (!for_each) return [];
  const parts = typeof max_items === 'number' ? [for_each] : [for_each, max_items];
  const [list, count] = await fillTemplates(context, parts, await buildScope(context, parts));
  const maxCount = typeof max_items === 'number' ? max_items : toMaxItems(count);
  if (maxCount === null) throw new StepError('expression_failed', MAX_ITEMS_MESSAGE);
  return toList(list).slice(0, maxCount);
}

async function startSingleGeneration(context: StepContext, signal: AbortSignal): Promise<StepOutcome> {
  const { deps, state, step } = context;
  const runId = state.run.id;
  const { order, price } = await priceStepRequest(context, null, signal);
  await deps.db.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (!run || !(await markStarted(context, tx))) return;
    const generationId = await enqueueStepGeneration(context, tx, run, { order, price });
    await tx.insert(workflowItems).values({ run_id: runId, step_key: step.key, index: 0, generation_id: generationId });
  });
  return 'wait';
}

async function insertItems(context: StepContext, items: readonly unknown[]): Promise<StepOutcome> {
  const { deps, state, step } = context;
  const runId = state.run.id;
  await deps.db.transaction(async (tx) => {
    if (!(await lockRun(tx, runId)) || !(await markStarted(context, tx)) || items.length === 0) return;
    const existingCount = await tx.$count(workflowItems, eq(workflowItems.run_id, runId));
    if (existingCount + items.length > WORKFLOW_LIMITS.generations) {
      throw new StepError('list_too_long', `A run can have at most ${WORKFLOW_LIMITS.generations} generations.`);
    }
    const rows = items.map((item, index) => ({
      run_id: runId,
      step_key: step.key,
      index,
      item,
      label: itemLabel(item),
    }));
    await tx.insert(workflowItems).values(rows);
  });
  return 'look';
}

async function markStarted({ deps, state, step }: StepContext, tx: Tx): Promise<boolean> {
  const started = await tx
    .update(workflowSteps)
    .set({ state: 'begun', begun_at: deps.clock.now() })
    .where(
      and(eq(workflowSteps.run_id, state.run.id), eq(workflowSteps.key, step.key), eq(workflowSteps.state, 'waiting')),
    )
    .returning({ key: workflowSteps.key });
  return started.length > 0;
}
