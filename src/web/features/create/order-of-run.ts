import type { OrderRequest } from '#contract/resources/request.ts';
import type { Run } from './runs.ts';

/** What to ask an approval for: the retry, or the generation itself. */
export const orderOfRun = ({ order, retry_of }: Run): OrderRequest =>
  retry_of
    ? { type: 'generation_retry', generation_id: retry_of }
    : { type: 'generation', generation: { model: null, metadata: null, ...order.body } };
