import type { ErrorStatus } from '#contract/api/errors.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';

/**
 * Checks as far as possible that a URL can receive deliveries. Decision: Errors, Webhooks
 * @param path the field or parameter that holds it
 * @throws {ApiError} 422 if it is not an HTTPS URL; 400 if its host is not public or unknown; 503 if the host can't
 *   be resolved
 */
export async function checkReceiver(fetcher: Pick<Fetcher, 'assertPublic'>, url: string, path: string): Promise<void> {
  const refuse = (status: ErrorStatus, message: string, cause?: unknown) =>
    new ApiError('invalid_request', message, { status, details: [{ path, message }], cause });
  if (!/^https:\/\//i.test(url)) throw refuse(422, 'The URL must start with https://.');
  try {
    await fetcher.assertPublic(url);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.code === 'resolver_failed') {
      throw new ApiError('service_unavailable', error.message, { cause: error, retry_after_seconds: 5 });
    }
    throw refuse(error.code === 'invalid_url' ? 422 : 400, error.message, error);
  }
}
