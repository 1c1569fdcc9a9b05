import type { ErrorStatus } from '#contract/errors.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Fetcher } from '#server/net/fetcher.ts';
import { OutboundError } from '#server/net/outbound-error.ts';

/**
 * Whether an address may get deliveries, as far as can be known before. Decision: Errors, Statuses, Webhooks
 * @throws {ApiError} 422 for what is no https address, 400 for one that is not public or does not exist, 503 where it
 *   can't be looked up
 */
export async function assertReceiver(fetcher: Pick<Fetcher, 'assertPublic'>, url: string): Promise<void> {
  if (!/^https:\/\//i.test(url)) throw invalidReceiverError(422, 'The address must begin with https://.');
  try {
    await fetcher.assertPublic(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.code === 'resolver_failed') {
      throw new ApiError('service_unavailable', error.message, { cause: error, retry_after_seconds: 5 });
    }
    throw invalidReceiverError(error.code === 'invalid_url' ? 422 : 400, error.message, error);
  }
}

const invalidReceiverError = (status: ErrorStatus, message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_request', message, { status, details: [{ path: 'url', message }], cause });
