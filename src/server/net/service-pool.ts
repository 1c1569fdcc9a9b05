import type { Readable } from 'node:stream';
import { plainHeaders } from './plain-headers.ts';
import { createServiceAgent, type ServiceTarget } from './service-fetch.ts';

export interface PoolRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Below the origin, with its query, encoded as it is to be sent. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Whole, so that it can be sent again. */
  body?: string | Uint8Array | null | undefined;
  signal?: AbortSignal | undefined;
}

interface PoolResponse {
  status_code: number;
  headers: Record<string, string>;
  /** Consume it or destroy it: the connection is held until then. */
  body: Readable;
}

/**
 * Many small requests to the origin of a service that the operator configured, over connections that are kept open. One
 * that the service closes at that very moment loses the request: send only what may be sent again.
 */
export interface ServicePool {
  /** Does not follow redirects. @throws the transport's error; the signal's reason when aborted */
  request(request: PoolRequest): Promise<PoolResponse>;
  close(): Promise<void>;
}

const LIMITS = {
  connections: null,
  keepAliveTimeout: 4_000,
  /** From the end of the request. */
  headersTimeout: 30_000,
  /** Between two pieces of the answer, while it is read. */
  bodyTimeout: 60_000,
};

export function createServicePool(target: ServiceTarget): ServicePool {
  const agent = createServiceAgent(target, () => undefined, LIMITS);
  return {
    async request({ path, body = null, ...request }) {
      const answer = await agent.request({ ...request, origin: target.base.origin, path, body });
      const headers = Object.fromEntries(plainHeaders(answer.headers));
      return { status_code: answer.statusCode, headers, body: answer.body };
    },
    close: () => agent.destroy(),
  };
}
