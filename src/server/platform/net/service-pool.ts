import { Readable } from 'node:stream';
import { plainHeaders } from './plain-headers.ts';
import { createServiceAgent, type ServiceTarget } from './service-fetch.ts';

export interface PoolRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Below the origin, including the query, already encoded. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Complete, so that the request can be repeated. */
  body?: string | Uint8Array | null | undefined;
  signal?: AbortSignal | undefined;
}

interface PoolResponse {
  status_code: number;
  headers: Record<string, string>;
  /** Consume or destroy it: it occupies the connection until then. */
  body: Readable;
}

/** Persistent connections lose a request when the service closes one at that moment: send only what can be repeated. */
export interface ServicePool {
  /** Does not follow redirects. @throws the transport's error; the signal's reason when aborted */
  request(request: PoolRequest): Promise<PoolResponse>;
  close(): Promise<void>;
}

/** Milliseconds without progress of a request, after which it fails. */
export interface PoolTimeouts {
  /** For the response, counted from the last bytes of the request that the connection took. */
  headersTimeout: number;
  /** Between two chunks of the response. */
  bodyTimeout: number;
}

/** Uploads are to fail within 30 seconds after the last byte that the service took. */
export const POOL_TIMEOUTS: PoolTimeouts = { headersTimeout: 28_000, bodyTimeout: 28_000 };
/** More than a connection buffers, so that each chunk shows whether the service takes bytes. */
const CHUNK_BYTES = 131_072;

export function createServicePool(target: ServiceTarget, timeouts = POOL_TIMEOUTS): ServicePool {
  const limits = { connections: null, keepAliveTimeout: 4_000, ...timeouts };
  const agent = createServiceAgent(target, () => undefined, limits);
  return {
    async request({ path, body = null, ...request }) {
      const sent = body instanceof Uint8Array && body.byteLength > CHUNK_BYTES ? splitBody(body) : body;
      const response = await agent.request({ ...request, origin: target.base.origin, path, body: sent });
      const headers = Object.fromEntries(plainHeaders(response.headers));
      return { status_code: response.statusCode, headers, body: response.body };
    },
    close: () => agent.destroy(),
  };
}

/** The transport counts a body that is given at once as one write, however slowly the service takes it. */
function splitBody(body: Uint8Array): Readable {
  function* chunks() {
    for (let at = 0; at < body.byteLength; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
  }
  return Readable.from(chunks(), { objectMode: false });
}
