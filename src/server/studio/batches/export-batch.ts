import type { BatchOrder } from '#contract/resources/batch.ts';
import { formatCsvRecord } from '#server/platform/core/csv.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readOrders } from './list-orders.ts';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const createColumns = ({ config }: Deps) =>
  ({
    index: ({ index }) => index + 1,
    prompt: ({ order }) => text(order.input['prompt']) ?? text(order.input['query']),
    task: ({ order }) => order.task,
    model: ({ order }) => order.model,
    status: ({ status }) => status,
    cost_usd: ({ generation }) =>
      generation && generation.usage.billing_status !== 'released' ? generation.usage.amount_usd : null,
    generation_id: ({ generation }) => generation?.id ?? null,
    details: ({ generation }) => (generation ? `${config.publicUrl}/generations/${generation.id}` : null),
    results: ({ generation }) => generation?.output.assets.map(({ url }) => url).join(' ') ?? null,
    error: ({ generation, error }) => error?.message ?? generation?.error?.message ?? null,
  }) as const satisfies Record<string, (order: BatchOrder) => string | number | null>;

const ROWS_PER_READ = 50;

/** Writes the orders of a batch as CSV, in the order of the request. Links to results expire. Decision: Batches */
export async function* exportBatch(deps: Deps, batchId: string): AsyncGenerator<string> {
  const columns = createColumns(deps);
  yield formatCsvRecord(Object.keys(columns));
  for (let after = -1; ;) {
    const orders = await readOrders(deps, batchId, { after, limit: ROWS_PER_READ });
    for (const order of orders) yield formatCsvRecord(Object.values(columns).map((column) => column(order)));
    const last = orders.at(-1);
    if (!last || orders.length < ROWS_PER_READ) return;
    after = last.index;
  }
}
