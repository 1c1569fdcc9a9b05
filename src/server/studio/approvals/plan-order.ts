import type { Deps } from '#server/platform/deps.ts';
import { isModelId } from '#contract/catalog.ts';
import { type AnyModelId, isAddedModelId, TASK_IDS } from '#contract/ids.ts';
import type { Batch } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { OrderRequest } from '#contract/resources/request.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { PricedOrder } from '#server/accounts/billing/approval-limit.ts';
import { planBatch, writeBatch } from '#server/studio/batches/create-batch.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { StoredOrder } from '#server/platform/db/schema/request-schema.ts';
import { planFromRequest } from '#server/studio/generations/create/create-generation.ts';
import { planRetry } from '#server/studio/generations/retry/retry-generation.ts';
import { writeGeneration } from '#server/studio/generations/create/write-generation.ts';
import type { GenerationPlan } from '#server/studio/generations/create/plan-generation.ts';
import { assertChangeable, assertVisible } from '#server/accounts/people/own-work.ts';
import { planRun, writeRun } from '#server/studio/workflows/runs/create-run.ts';
import { planRunRetry } from '#server/studio/workflows/runs/retry-run.ts';

/** What an approved order becomes. */
export type PlacedOrder = Generation | WorkflowRun | Batch;

type OrderSummary = Omit<StoredOrder, 'request'>;

/** An order of any kind. */
export interface OrderPlan extends PricedOrder {
  summary: OrderSummary;
  /** Creates what was ordered, in the caller's transaction. @throws {ApiError} 402 `insufficient_balance`; 409; 401; 429 */
  write(tx: Tx): Promise<PlacedOrder>;
}

/** Validates and prices an order like the endpoint that it was meant for. @throws {ApiError} 400; 404; 409; 422; 503 */
export async function planOrder(deps: Deps, caller: Caller, order: OrderRequest): Promise<OrderPlan> {
  const writePlanned = (plan: GenerationPlan) => async (tx: Tx) => {
    await writeGeneration(deps, tx, plan);
    return plan.generation;
  };
  const none = { type: order.type, task: null, model: null, starter_slug: null, retry_of: null };
  switch (order.type) {
    case 'generation': {
      const plan = await planFromRequest(deps, caller, order.generation);
      const { task, model } = plan.row;
      return withSummary(plan, { ...none, task, model }, writePlanned(plan));
    }
    case 'generation_retry': {
      await assertVisible(deps.db, caller, { generation_id: order.generation_id });
      await assertChangeable(deps.db, caller, { generation_id: order.generation_id });
      const plan = await planRetry(deps, caller, order.generation_id);
      const { task, model } = plan.row;
      return withSummary(plan, { ...none, task, model, retry_of: order.generation_id }, writePlanned(plan));
    }
    case 'workflow_run': {
      const plan = await planRun(deps, caller, order.workflow_run);
      const summary = { ...none, starter_slug: order.workflow_run.starter_slug };
      return withSummary(plan, summary, (tx) => writeRun(deps, tx, caller, plan));
    }
    case 'workflow_run_retry': {
      const { workflow_run_id: id, inputs } = order;
      await assertVisible(deps.db, caller, { workflow_run_id: id });
      await assertChangeable(deps.db, caller, { workflow_run_id: id });
      const plan = await planRunRetry(deps, caller, { id, inputs });
      const summary = { ...none, starter_slug: plan.starter_slug, retry_of: id };
      return withSummary(plan, summary, (tx) => writeRun(deps, tx, caller, plan));
    }
    case 'batch': {
      const { orders } = order.batch;
      const plan = await planBatch(deps, caller, order.batch);
      const [first] = orders;
      const task = TASK_IDS.find((known) => orders.every((each) => each.task === known)) ?? null;
      const model = first && orders.every((each) => each.model === first.model) ? toModelId(first.model) : null;
      return withSummary(plan, { ...none, task, model, count: orders.length }, (tx) =>
        writeBatch(deps, tx, caller, plan, { isApproved: true }),
      );
    }
  }
}

const toModelId = (id: string | null | undefined): AnyModelId | null =>
  id != null && (isModelId(id) || isAddedModelId(id)) ? id : null;

const withSummary = (
  { amount_micro_usd, is_bounded, input }: PricedOrder,
  about: Omit<OrderSummary, 'input' | 'is_bounded'>,
  write: OrderPlan['write'],
): OrderPlan => ({
  amount_micro_usd,
  is_bounded,
  input,
  summary: { ...about, is_bounded, input: createListExcerpt(input, MAX_LISTED_INPUT_CHARACTERS) ?? input },
  write,
});
