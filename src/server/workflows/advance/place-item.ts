import { and, eq, isNull, sql } from 'drizzle-orm';
import { localOrigin } from '../../config.ts';
import type { Tx } from '../../db/db.ts';
import { workflowItems, workflowRuns } from '../../db/workflow-schema.ts';
import type { Failure } from '../../generations/failure.ts';
import { judgeOrder } from '../../generations/order.ts';
import { type Placement, placeGeneration } from '../../generations/place.ts';
import { priceOrder } from '../../generations/price.ts';
import { fitInput } from '../definition/fit-input.ts';
import type { ItemRow, RunRow } from '../runs/run-parts.ts';
import { fillParts, scopeOf } from './fill-step.ts';
import { type Next, type StepCase, lockRun } from './run-state.ts';
import { afterRefusal, keyRevoked, stepFailure } from './step-problem.ts';

/**
 * Makes the generation of an item. It is reserved, queued and noted in one transaction that finds its place still empty:
 * whatever breaks off before leaves nothing, and whoever comes again finds it there.
 */
export async function placeItem(one: StepCase, item: ItemRow, signal: AbortSignal): Promise<Next> {
  const { deps, state } = one;
  if (state.key_revoked_at) return failItem(one, item, keyRevoked(state.key_name));
  try {
    const placement = await pricedOrder(one, item, signal);
    await deps.db.transaction(async (tx) => {
      const run = await lockRun(tx, state.run.id);
      if (!run) return;
      const [open] = await tx.select({ index: workflowItems.index }).from(workflowItems).where(isOpen(item));
      if (!open) return;
      const generation_id = await placeNext(one, tx, run, placement);
      await tx.update(workflowItems).set({ generation_id }).where(isOpen(item));
    });
    return 'wait';
  } catch (error) {
    signal.throwIfAborted();
    const context = { run_id: state.run.id, step: item.step_key, index: item.index };
    return afterRefusal(error) ?? failItem(one, item, stepFailure(deps, error, context));
  }
}

async function failItem({ deps, state }: StepCase, item: ItemRow, error: Failure): Promise<Next> {
  await deps.db.transaction(async (tx) => {
    if (!(await lockRun(tx, state.run.id))) return;
    await tx.update(workflowItems).set({ error, ended_at: deps.clock.now() }).where(isOpen(item));
  });
  return 'look';
}

const isOpen = ({ run_id, step_key, index }: ItemRow) =>
  and(
    eq(workflowItems.run_id, run_id),
    eq(workflowItems.step_key, step_key),
    eq(workflowItems.index, index),
    isNull(workflowItems.generation_id),
    isNull(workflowItems.error),
  );

type Priced = Pick<Placement, 'order' | 'price'>;

/**
 * What a step orders, at its price, judged as what anybody orders.
 * @param item null for a step that goes through no list
 * @throws {StepError} where an expression fails; {ApiError} where the order is refused
 */
export async function pricedOrder(
  one: StepCase,
  item: Pick<ItemRow, 'item' | 'index'> | null,
  signal: AbortSignal,
): Promise<Priced> {
  const { deps, state, step } = one;
  const input = await inputOf(one, item);
  const order = judgeOrder(deps, localOrigin(deps.config), { task: step.task, model: step.model, input });
  return { order, price: await priceOrder(deps, state.run.organization_id, order, signal) };
}

/** Makes a generation of a run that is locked. @returns its id */
export async function placeNext({ deps, state }: StepCase, tx: Tx, run: RunRow, priced: Priced): Promise<string> {
  const { organization_id, created_by: key_id } = run;
  const caller = { organization_id, key_id, key_name: state.key_name };
  if (run.status !== 'running') {
    const now = deps.clock.now();
    const started_at = sql`coalesce(${workflowRuns.started_at}, ${now.toISOString()}::timestamptz)`;
    await tx
      .update(workflowRuns)
      .set({ status: 'running', started_at, updated_at: now })
      .where(eq(workflowRuns.id, run.id));
  }
  // Last: it locks the account.
  const { id } = await placeGeneration(deps, tx, caller, { ...priced, metadata: null, workflow_run_id: run.id });
  return id;
}

async function inputOf(one: StepCase, item: Pick<ItemRow, 'item' | 'index'> | null): Promise<Record<string, unknown>> {
  const { step } = one;
  const parts = Object.values(step.input);
  const scope = { ...(await scopeOf(one, parts)), ...(item ? { item: item.item, index: item.index } : {}) };
  const names = Object.keys(step.input);
  const values = await fillParts(one, parts, scope);
  const filled = names.flatMap((name, place) => (values[place] === undefined ? [] : [[name, values[place]] as const]));
  return fitInput(step.contract, Object.fromEntries(filled));
}
