import type { OrderRequest } from '#contract/resources/request.ts';
import type { Run } from './runs.ts';

/**
 * What to ask an approval for: the retry, or the generation itself.
 * @param group the runs that were sent together
 */
export const orderOfRun = ({ order, retry_of }: Run, group: readonly Run[] = []): OrderRequest =>
  group.length > 0
    ? { type: 'batch', batch: { mode: 'together', orders: group.map((run) => run.order.body) } }
    : retry_of
      ? { type: 'generation_retry', generation_id: retry_of }
      : { type: 'generation', generation: { model: null, metadata: null, ...order.body } };
