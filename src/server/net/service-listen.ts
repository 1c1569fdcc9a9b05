import type { Socket } from 'node:net';
import { WebSocket } from 'undici';
import { createServiceAgent, type ServiceTarget, resolveServiceUrl } from './service-fetch.ts';

interface ListenOptions {
  timeout_ms: number;
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Listens to text messages of a WebSocket of the service, at most 1 MB each, until `read` returns a value for one. Then
 * the connection is closed.
 * @param path below the base URL
 * @returns null on timeout, or if the connection failed or was closed
 * @throws {OutboundError} `blocked`; the signal's reason when aborted; what `read` throws
 */
export type ServiceListen = <T>(
  path: string,
  listening: ListenOptions,
  read: (message: string) => T | null,
) => Promise<T | null>;

export function createServiceListen(target: ServiceTarget): ServiceListen {
  return async (path, { timeout_ms, signal, headers = {} }, read) => {
    signal.throwIfAborted();
    const url = resolveServiceUrl(target.base, path);
    url.protocol = url.protocol.replace('http', 'ws');
    let connection: Socket | undefined;
    const agent = createServiceAgent(target, (socket) => {
      connection = socket;
    });
    const websocket = new WebSocket(url, { dispatcher: agent, headers: { 'user-agent': 'Emulsion', ...headers } });
    const ending = new AbortController();
    const until_end = { signal: ending.signal };
    try {
      return await new Promise((resolve, reject) => {
        const resolveNothing = (): void => resolve(null);
        AbortSignal.timeout(timeout_ms).addEventListener('abort', resolveNothing, until_end);
        signal.addEventListener('abort', () => reject(signal.reason), until_end);
        websocket.addEventListener('close', resolveNothing);
        websocket.addEventListener('error', resolveNothing);
        websocket.addEventListener('message', ({ data }) => {
          try {
            const value = typeof data === 'string' && !ending.signal.aborted ? read(data) : null;
            if (value !== null) resolve(value);
          } catch (error) {
            reject(error);
          }
        });
      });
    } finally {
      ending.abort();
      websocket.close();
      // Does not wait for the closing handshake.
      connection?.destroySoon();
      await agent.destroy();
    }
  };
}
