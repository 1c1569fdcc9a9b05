import type { Deps } from '#server/platform/deps.ts';
import { isModelId } from '#contract/catalog.ts';
import { type AnyModelId, isAddedModelId, TASK_IDS } from '#contract/ids.ts';
import type { Batch } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { OrderRequest } from '#contract/resources/request.ts';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import type { PreparedOrder } from '#server/accounts/billing/approval-limit.ts';
import { prepareBatch } from '#server/studio/batches/create-batch.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import type { StoredOrder } from '#server/platform/db/request-schema.ts';
import { prepareGeneration } from '#server/studio/generations/create-generation.ts';
import { findGeneration } from '#server/studio/generations/find-generation.ts';
import { prepareRetry } from '#server/studio/generations/retry-generation.ts';
import { assertChangeable, assertVisible } from '#server/accounts/people/own-work.ts';
import { prepareRun } from '#server/studio/workflows/runs/create-run.ts';
import { prepareRunRetry } from '#server/studio/workflows/runs/retry-run.ts';

/** What an approved order becomes. */
export type PlacedOrder = Generation | WorkflowRun | Batch;

export type PreparedRequest = PreparedOrder<PlacedOrder> & { summary: Omit<StoredOrder, 'request'> };

/** Validates and prices an order like the endpoint that it was meant for. @throws {ApiError} 400; 404; 409; 422; 503 */
export async function prepareOrder(deps: Deps, caller: Caller, order: OrderRequest): Promise<PreparedRequest> {
  const none = { type: order.type, task: null, model: null, starter_slug: null, retry_of: null };
  switch (order.type) {
    case 'generation': {
      const prepared = await prepareGeneration(deps, caller, order.generation);
      return withSummary(prepared, { ...none, task: prepared.task, model: prepared.model });
    }
    case 'generation_retry': {
      await assertVisible(deps.db, caller, { generation_id: order.generation_id });
      await assertChangeable(deps.db, caller, { generation_id: order.generation_id });
      const prepared = await prepareRetry(deps, caller, order.generation_id);
      const { generation } = await findGeneration(deps, caller.organization_id, order.generation_id);
      const { task, model } = generation;
      return withSummary(prepared, { ...none, task, model, retry_of: order.generation_id });
    }
    case 'workflow_run': {
      const prepared = await prepareRun(deps, caller, order.workflow_run);
      return withSummary(prepared, { ...none, starter_slug: order.workflow_run.starter_slug });
    }
    case 'workflow_run_retry': {
      const { workflow_run_id: id, inputs } = order;
      await assertVisible(deps.db, caller, { workflow_run_id: id });
      await assertChangeable(deps.db, caller, { workflow_run_id: id });
      const prepared = await prepareRunRetry(deps, caller, { id, inputs });
      return withSummary(prepared, { ...none, starter_slug: prepared.starter_slug, retry_of: id });
    }
    case 'batch': {
      const { orders } = order.batch;
      const prepared = await prepareBatch(deps, caller, order.batch, { isApproved: true });
      const [first] = orders;
      const task = TASK_IDS.find((known) => orders.every((each) => each.task === known)) ?? null;
      const model = first && orders.every((each) => each.model === first.model) ? toModelId(first.model) : null;
      return withSummary(prepared, { ...none, task, model, count: orders.length });
    }
  }
}

const toModelId = (id: string | null | undefined): AnyModelId | null =>
  id != null && (isModelId(id) || isAddedModelId(id)) ? id : null;

const withSummary = (
  prepared: PreparedOrder<PlacedOrder>,
  about: Omit<StoredOrder, 'request' | 'input' | 'is_bounded'>,
): PreparedRequest => ({
  ...prepared,
  summary: {
    ...about,
    is_bounded: prepared.is_bounded,
    input: createListExcerpt(prepared.input, MAX_LISTED_INPUT_CHARACTERS) ?? prepared.input,
  },
});
