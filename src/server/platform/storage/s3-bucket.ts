import { S3 } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/platform/core/settings/config.ts';
import { hasErrorCode } from '#server/platform/core/has-error-code.ts';
import type { PoolRequest, ServicePool } from '#server/platform/net/service-pool.ts';

/** Everything else in the bucket is left alone. */
export const OBJECT_PREFIX = 'media/';

export interface Bucket {
  readonly s3: S3;
  readonly name: string;
  locate(this: void, key: string): { Bucket: string; Key: string };
}

/** @param pool to the origin of `settings.endpoint` */
export function openBucket(settings: S3Settings, pool: ServicePool): Bucket {
  const { endpoint, region, bucket: name, accessKey } = settings;
  const s3 = new S3({
    endpoint,
    region,
    forcePathStyle: true,
    // By default the client looks for credentials itself, and replaces them before they expire.
    ...(accessKey ? { credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret } } : {}),
    requestHandler: createS3Handler(pool),
    maxAttempts: 3,
    // Stores other than Amazon's may support no checksums but those of the signature, which cover the whole request.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
  });
  return { s3, name, locate: (key) => ({ Bucket: name, Key: OBJECT_PREFIX + key }) };
}

type Handler = S3['config']['requestHandler'];

interface SignedRequest extends PoolRequest {
  query?: Readonly<Record<string, string | string[] | null>>;
}

const createS3Handler = (pool: ServicePool): Handler => ({
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
      if (isTimeout(error)) throw new Error('The object store did not respond in time.', { cause: error });
      throw new TransportError('The object store does not respond.', { cause: error });
    }
  },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
});

/** Not repeated: a store that hangs would hang again, and a caller waits for this. */
const isTimeout = (error: unknown): boolean =>
  hasErrorCode(error, 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT');

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
