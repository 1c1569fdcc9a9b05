import type { FastifyRequest } from 'fastify';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Config } from '#server/platform/core/config.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects a request with a cookie that changes something and was not sent by a page of the service itself. Browsers send
 * at least one of the two headers with such requests.
 * @throws {ApiError} 401. Decision: Sign-in
 */
export function assertSameOrigin(
  { public_url }: Pick<Config, 'public_url'>,
  { method, headers, protocol, host }: Pick<FastifyRequest, 'method' | 'headers' | 'protocol' | 'host'>,
): void {
  if (SAFE_METHODS.includes(method)) return;
  const site = headers['sec-fetch-site'];
  const is_same =
    site === undefined
      ? headers.origin === public_url || headers.origin === `${protocol}://${host}`
      : site === 'same-origin';
  if (is_same) return;
  throw new ApiError(
    'authentication_error',
    'This request came from another site. Open the dashboard of this service and try again.',
  );
}
