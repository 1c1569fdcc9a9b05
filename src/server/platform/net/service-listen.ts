import type { Socket } from 'node:net';
import { WebSocket } from 'undici';
import { createServiceAgent, type ServiceTarget, resolveServiceUrl } from './service-fetch.ts';

interface ListenOptions {
  timeoutMs: number;
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Reads text messages of at most 1 MB until `read` returns a value; null on timeout or without such a websocket.
 * @throws {OutboundError} `blocked`; the signal's reason when aborted; what `read` throws
 */
export type ServiceListen = <T>(
  path: string,
  listening: ListenOptions,
  read: (message: string) => T | null,
) => Promise<T | null>;

export function createServiceListen(target: ServiceTarget): ServiceListen {
  return async (path, { timeoutMs, signal, headers = {} }, read) => {
    signal.throwIfAborted();
    const url = resolveServiceUrl(target.base, path);
    url.protocol = url.protocol.replace('http', 'ws');
    let connection: Socket | undefined;
    const agent = createServiceAgent(target, (socket) => {
      connection = socket;
    });
    const websocket = new WebSocket(url, { dispatcher: agent, headers: { 'user-agent': 'Emulsion', ...headers } });
    const ending = new AbortController();
    const only = { signal: ending.signal };
    try {
      return await new Promise((resolve, reject) => {
        const nothing = (): void => resolve(null);
        AbortSignal.timeout(timeoutMs).addEventListener('abort', nothing, only);
        signal.addEventListener('abort', () => reject(signal.reason), only);
        websocket.addEventListener('close', nothing);
        websocket.addEventListener('error', nothing);
        websocket.addEventListener('message', ({ data }) => {
          try {
            const result = typeof data === 'string' && !ending.signal.aborted ? read(data) : null;
            if (result !== null) resolve(result);
          } catch (error) {
            reject(error);
          }
        });
      });
    } finally {
      ending.abort();
      websocket.close();
      // The closing handshake is not waited for.
      connection?.destroySoon();
      await agent.destroy();
    }
  };
}
