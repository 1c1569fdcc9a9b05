import { and, eq } from 'drizzle-orm';
import { WORKFLOW_LIMITS } from '#contract/workflow-definition.ts';
import { workflowItems, workflowSteps } from '../../db/workflow-schema.ts';
import { MAX_ITEMS_MESSAGE, asList, asMaxItems, isTrue } from '../expression/values.ts';
import { fillParts, scopeOf } from './fill-step.ts';
import { labelOf } from './item-label.ts';
import { type StepCase, lockRun } from './run-state.ts';
import { StepError, endStep, stepFailure } from './step-problem.ts';

/**
 * Begins a step that has what it needs: leaves it out where its condition says so, else sets down what it is to make, one
 * place for each item of its list.
 */
export async function beginStep(one: StepCase): Promise<void> {
  const { deps, state, step } = one;
  const at = { run_id: state.run.id, key: step.key };
  try {
    const items = await itemsOf(one);
    if (items === null) return await endStep(deps, at, { state: 'skipped' });
    await setDown(one, items);
  } catch (error) {
    await endStep(deps, at, { state: 'failed', error: stepFailure(deps, error, at) });
  }
}

/** @returns null where the step is not wanted; `[null]` for one that goes through no list */
async function itemsOf(one: StepCase): Promise<unknown[] | null> {
  const { when, for_each, max_items } = one.step;
  if (when === null && for_each === null) return [null];
  const scope = await scopeOf(one);
  if (when) {
    const [value] = await fillParts(one, [when], scope);
    if (!isTrue(value)) return null;
  }
  if (!for_each) return [null];
  const [list, count] = await fillParts(one, typeof max_items === 'number' ? [for_each] : [for_each, max_items], scope);
  const most = typeof max_items === 'number' ? max_items : asMaxItems(count);
  if (most === null) throw new StepError('expression_failed', MAX_ITEMS_MESSAGE);
  return asList(list).slice(0, most);
}

async function setDown({ deps, state, step }: StepCase, items: readonly unknown[]): Promise<void> {
  const run_id = state.run.id;
  await deps.db.transaction(async (tx) => {
    if (!(await lockRun(tx, run_id))) return;
    const begun = await tx
      .update(workflowSteps)
      .set({ state: 'begun', begun_at: deps.clock.now() })
      .where(and(eq(workflowSteps.run_id, run_id), eq(workflowSteps.key, step.key), eq(workflowSteps.state, 'waiting')))
      .returning({ key: workflowSteps.key });
    if (begun.length === 0 || items.length === 0) return;
    const there = await tx.$count(workflowItems, eq(workflowItems.run_id, run_id));
    if (there + items.length > WORKFLOW_LIMITS.generations) {
      throw new StepError('list_too_long', `A run makes at most ${WORKFLOW_LIMITS.generations} generations.`);
    }
    await tx
      .insert(workflowItems)
      .values(items.map((item, index) => ({ run_id, step_key: step.key, index, item, label: labelOf(item) })));
  });
}
