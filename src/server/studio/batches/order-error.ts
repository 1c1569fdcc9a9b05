import type { OrderError } from '#contract/resources/batch.ts';
import { ApiError } from '#server/platform/core/api-error.ts';

/** Why an order can't start, as its row shows it. */
export const toOrderError = ({ code, message, details }: ApiError): OrderError => ({
  code,
  message,
  ...(details && details.length > 0 ? { details: [...details] } : {}),
});

/** Names the order that was refused, in the path of the details, or in the message where there are none. */
export function atOrder(error: unknown, index: number): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, status, details, budget, approval, retry_after_seconds } = error;
  const hasDetails = details !== undefined && details.length > 0;
  return new ApiError(code, hasDetails ? error.message : `Order ${index + 1}: ${error.message}`, {
    status,
    ...(details ? { details: details.map((detail) => ({ ...detail, path: `orders.${index}.${detail.path}` })) } : {}),
    ...(budget ? { budget } : {}),
    ...(approval ? { approval } : {}),
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
    cause: error,
  });
}
