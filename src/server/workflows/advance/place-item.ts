import { and, eq, isNull, sql } from 'drizzle-orm';
import { localOrigin } from '../../config.ts';
import { workflowItems, workflowRuns } from '../../db/workflow-schema.ts';
import { judgeOrder } from '../../generations/order.ts';
import { placeGeneration } from '../../generations/place.ts';
import { priceOrder } from '../../generations/price.ts';
import { fitInput } from '../definition/fit-input.ts';
import type { ItemRow } from '../runs/run-parts.ts';
import { fillParts, scopeOf } from './fill-step.ts';
import { type StepCase, lockRun } from './run-state.ts';
import { stepFailure } from './step-problem.ts';

/**
 * Makes the generation of an item. It is reserved, queued and noted in one transaction that finds its place still empty:
 * whatever breaks off before leaves nothing, and whoever comes again finds it there.
 */
export async function placeItem(one: StepCase, item: ItemRow, signal: AbortSignal): Promise<void> {
  const { deps, state } = one;
  try {
    await place(one, item, signal);
  } catch (error) {
    signal.throwIfAborted();
    const failure = stepFailure(deps, error, { run_id: state.run.id, step: item.step_key, index: item.index });
    await deps.db.transaction(async (tx) => {
      if (!(await lockRun(tx, state.run.id))) return;
      await tx.update(workflowItems).set({ error: failure, ended_at: deps.clock.now() }).where(isOpen(item));
    });
  }
}

async function place(one: StepCase, item: ItemRow, signal: AbortSignal): Promise<void> {
  const { deps, state, step } = one;
  const { run, key_name } = state;
  const input = await inputOf(one, item);
  const order = judgeOrder(deps, localOrigin(deps.config), { task: step.task, model: step.model, input });
  const price = await priceOrder(deps, run.organization_id, order, signal);
  const caller = { organization_id: run.organization_id, key_id: run.created_by, key_name };
  await deps.db.transaction(async (tx) => {
    if (!(await lockRun(tx, run.id))) return;
    const [open] = await tx.select({ index: workflowItems.index }).from(workflowItems).where(isOpen(item));
    if (!open) return;
    const { id } = await placeGeneration(deps, tx, caller, { order, price, metadata: null, workflow_run_id: run.id });
    await tx.update(workflowItems).set({ generation_id: id }).where(isOpen(item));
    const now = deps.clock.now();
    const started_at = sql`coalesce(${workflowRuns.started_at}, ${now.toISOString()}::timestamptz)`;
    await tx
      .update(workflowRuns)
      .set({ status: 'running', started_at, updated_at: now })
      .where(eq(workflowRuns.id, run.id));
  });
}

const isOpen = ({ run_id, step_key, index }: ItemRow) =>
  and(
    eq(workflowItems.run_id, run_id),
    eq(workflowItems.step_key, step_key),
    eq(workflowItems.index, index),
    isNull(workflowItems.generation_id),
    isNull(workflowItems.error),
  );

async function inputOf(one: StepCase, { item, index }: ItemRow): Promise<Record<string, unknown>> {
  const { step } = one;
  const scope = { ...(await scopeOf(one)), ...(step.for_each ? { item, index } : {}) };
  const names = Object.keys(step.input);
  const values = await fillParts(one, Object.values(step.input), scope);
  const filled = names.flatMap((name, place) => (values[place] === undefined ? [] : [[name, values[place]] as const]));
  return fitInput(step.contract, Object.fromEntries(filled));
}
