import type { BatchOrderCreate } from '#contract/resources/batch.ts';
import { MAX_METADATA_VALUES } from '#contract/resources/generation.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

/** Copies the metadata of a batch to its orders, whose own values win. @throws {ApiError} 422 for more than 50 values */
export function withBatchMetadata(
  orders: readonly BatchOrderCreate[],
  metadata: Record<string, string> | null | undefined,
): BatchOrderCreate[] {
  if (!metadata) return [...orders];
  return orders.map((order, index) => {
    const merged = { ...metadata, ...order.metadata };
    if (Object.keys(merged).length <= MAX_METADATA_VALUES) return { ...order, metadata: merged };
    const message = `Metadata can have at most ${MAX_METADATA_VALUES} values, those of the batch included.`;
    const details = [{ path: `orders.${index}.metadata`, message }];
    throw new ApiError('invalid_request', message, { status: 422, details });
  });
}
