import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LimitingProxy {
  url: string;
  /** As nginx: 1 MiB unless it is told otherwise. */
  maxBytes: number;
  /** Whether it reaches the service. */
  isUp: boolean;
  /** Sizes of the bodies that it rejected. */
  rejected: number[];
  forwardTo(url: string): void;
  close(): Promise<void>;
}

const page = (title: string) => `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

/** Starts a proxy that rejects large bodies and reports a service that it can't reach as nginx does: with a page. */
export async function startLimitingProxy(): Promise<LimitingProxy> {
  let target = '';
  const server = createServer((incoming, response) => {
    const fail = (status: number, title: string) => {
      incoming.resume();
      if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/html' });
      response.end(page(title));
    };
    const bytes = Number(incoming.headers['content-length'] ?? 0);
    if (bytes > proxy.maxBytes) {
      proxy.rejected.push(bytes);
      return fail(413, '413 Request Entity Too Large');
    }
    const { method, headers, url } = incoming;
    // Scripts come from its cache.
    if (!proxy.isUp && !url?.startsWith('/assets/')) return fail(502, '502 Bad Gateway');
    const outgoing = request(target + (url ?? ''), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    outgoing.on('error', () => fail(502, '502 Bad Gateway'));
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: LimitingProxy = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    maxBytes: 1_048_576,
    isUp: true,
    rejected: [],
    forwardTo: (url) => (target = url),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
