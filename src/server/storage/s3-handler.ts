import type { S3 } from '@aws-sdk/client-s3';
import type { PoolRequest, ServicePool } from '#server/net/service-pool.ts';

type Handler = S3['config']['requestHandler'];

/** As the client hands it over, signed. */
interface SignedRequest extends PoolRequest {
  query?: Readonly<Record<string, string | string[] | null>>;
}

/** The client's way to the network: its signed requests go out as all of ours do. */
export const createS3Handler = (pool: ServicePool): Handler => ({
  async handle({ query = {}, ...request }: SignedRequest, { abortSignal }: { abortSignal?: unknown } = {}) {
    const { method, headers, body } = request;
    const search = queryText(query);
    const path = search === '' ? request.path : `${request.path}?${search}`;
    const signal = abortSignal instanceof AbortSignal ? abortSignal : undefined;
    try {
      const { status_code: statusCode, ...answer } = await pool.request({ method, path, headers, body, signal });
      return { response: { statusCode, ...answer } };
    } catch (error) {
      signal?.throwIfAborted();
      throw new TransportError('The object store does not respond.', { cause: error });
    }
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});

/** The client sends a request again that failed under this name. */
class TransportError extends Error {
  override readonly name = 'TimeoutError';
}

/** Exactly as it was signed. */
const queryText = (query: Readonly<Record<string, string | string[] | null>>): string =>
  Object.entries(query)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const))
    .map(([name, value]) => (value === null ? percentEncode(name) : `${percentEncode(name)}=${percentEncode(value)}`))
    .join('&');

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
