import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ListenAddress } from '#server/platform/core/process/listen-error.ts';
import type { Metrics } from './create-metrics.ts';

const TIMEOUT_MS = 15_000;

/** Serves metrics on a port of their own, for a network that only the operator reaches. @returns closes it */
export async function serveMetrics(
  { host, port }: Pick<ListenAddress, 'host' | 'port'>,
  metrics: Metrics,
): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    const isFound = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isFound) return void response.writeHead(404).end();
    metrics.read().then(
      ({ content_type, text }) => response.writeHead(200, { 'content-type': content_type }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  server.listen({ port, host });
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}
