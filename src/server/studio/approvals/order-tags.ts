import type { OrderRequest } from '#contract/resources/request.ts';
import { withBatchMetadata } from '#server/studio/batches/order-metadata.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import { readTags } from '#server/accounts/tags/manage-tags.ts';
import type { TagValues } from '#server/accounts/tags/read-tag-values.ts';
import { findRun } from '#server/studio/workflows/runs/find-run.ts';

export interface OrderTags {
  /** By tag; several values of a batch in one text. */
  shown: TagValues;
  /** Values that the whole order has, so that all of its price counts for them. */
  shared: TagValues;
}

/** Reads by which values of tags billing counts an order that waits. */
export async function readOrderTags(
  deps: Pick<Deps, 'db'>,
  organizationId: string,
  order: OrderRequest,
): Promise<OrderTags> {
  const tags = await readTags(deps.db, organizationId);
  if (tags.length === 0) return { shown: {}, shared: {} };
  const metadata = await readMetadata(deps, organizationId, order);
  const sets = tags.map(({ name }) => ({
    name,
    values: [...new Set(metadata.map((each) => each[name]?.trim() ?? ''))],
  }));
  const shared = sets.flatMap(({ name, values }) => (values.length === 1 && values[0] ? [[name, values[0]]] : []));
  const shown = sets.flatMap(({ name, values }) => {
    const text = values.filter(Boolean).join(', ');
    return text ? [[name, text]] : [];
  });
  return { shown: Object.fromEntries(shown) as TagValues, shared: Object.fromEntries(shared) as TagValues };
}

/** Of each order. */
async function readMetadata(deps: Pick<Deps, 'db'>, organizationId: string, order: OrderRequest): Promise<TagValues[]> {
  switch (order.type) {
    case 'generation':
      return [order.generation.metadata ?? {}];
    case 'workflow_run':
      return [order.workflow_run.metadata ?? {}];
    case 'batch':
      return withBatchMetadata(order.batch.orders, order.batch.metadata).map((each) => each.metadata ?? {});
    case 'generation_retry':
      return [(await findGeneration(deps, organizationId, order.generation_id)).generation.tags];
    case 'workflow_run_retry':
      return [(await findRun(deps.db, organizationId, order.workflow_run_id)).run.tags];
  }
}
