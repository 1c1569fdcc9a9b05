import type { Readable } from 'node:stream';
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

const LIMITS = {
  connections: null,
  keepAliveTimeout: 4_000,
  headersTimeout: 30_000,
  bodyTimeout: 60_000,
};

export function createServicePool(target: ServiceTarget): ServicePool {
  const agent = createServiceAgent(target, () => undefined, LIMITS);
  return {
    async request({ path, body = null, ...request }) {
      const response = await agent.request({ ...request, origin: target.base.origin, path, body });
      const headers = Object.fromEntries(plainHeaders(response.headers));
      return { status_code: response.statusCode, headers, body: response.body };
    },
    close: () => agent.destroy(),
  };
}
