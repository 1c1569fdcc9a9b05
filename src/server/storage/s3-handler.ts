import type { S3 } from '@aws-sdk/client-s3';
import type { PoolRequest, ServicePool } from '#server/net/service-pool.ts';

type Handler = S3['config']['requestHandler'];

interface SignedRequest extends PoolRequest {
  query?: Readonly<Record<string, string | string[] | null>>;
}

/** Sends the client's signed requests through our own connection pool. */
export const createS3Handler = (pool: ServicePool): Handler => ({
  async handle({ query = {}, ...request }: SignedRequest, { abortSignal }: { abortSignal?: unknown } = {}) {
    const { method, headers, body } = request;
    const search = queryText(query);
    const path = search === '' ? request.path : `${request.path}?${search}`;
    const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined;
    try {
      const { status_code: statusCode, ...response } = await pool.request({ method, path, headers, body, signal });
      return { response: { statusCode, ...response } };
    } catch (error) {
      signal?.throwIfAborted();
      throw new TransportError('The object store does not respond.', { cause: error });
    }
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});

/** The client retries requests that fail with this name. */
class TransportError extends Error {
  override readonly name = 'TimeoutError';
}

/** Must equal the signed query. */
const queryText = (query: Readonly<Record<string, string | string[] | null>>): string =>
  Object.entries(query)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .map(([name, value]) => (value === null ? percentEncode(name) : `${percentEncode(name)}=${percentEncode(value)}`))
    .join('&');

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
