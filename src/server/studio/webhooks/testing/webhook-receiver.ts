import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { WebhookEvent } from '#contract/resources/webhook.ts';
import { type Fetcher, createFetcher } from '#server/platform/net/fetcher.ts';
import {
  type TestCertificate,
  createTestCertificate,
  startTlsServer,
} from '#server/platform/net/testing/tls-fixture.ts';

/** `hang` sends no response until `release` or the end of the connection. */
type ReceiverBehavior = number | 'hang' | ((response: ServerResponse, request: IncomingMessage) => void);

export interface ReceivedDelivery {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  event: WebhookEvent;
  /** Monotonic time at which the whole request had arrived. */
  atMs: number;
}

/** Each test uses its own path. */
export interface WebhookReceiver {
  certificate: TestCertificate;
  url(path: string): string;
  received: ReceivedDelivery[];
  receivedAt(path: string): ReceivedDelivery[];
  /** Used before `defaultBehaviors`; the default of those is 204. */
  nextBehaviors: Map<string, ReceiverBehavior[]>;
  defaultBehaviors: Map<string, ReceiverBehavior>;
  /** Concurrent requests that hang at a path now, and their maximum so far. */
  waiting(path: string): number;
  maxWaiting(path: string): number;
  release(): void;
  /**
   * Allows this server and public addresses only. Names below `rebound.test` resolve to a private address the second
   * time.
   */
  fetcher: Fetcher;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const certificate = createTestCertificate(['localhost']);
  const server = await startTlsServer(certificate, (request, response) => void receive(request, response));
  const hanging = new Map<string, Set<ServerResponse>>();
  const maxWaitingByPath = new Map<string, number>();
  const lookups = new Set<string>();
  const receiver: WebhookReceiver = {
    certificate,
    url: (path) => `https://localhost:${server.port}${path}`,
    received: [],
    receivedAt: (path) => receiver.received.filter((delivery) => delivery.path === path),
    nextBehaviors: new Map(),
    defaultBehaviors: new Map(),
    waiting: (path) => hanging.get(path)?.size ?? 0,
    maxWaiting: (path) => maxWaitingByPath.get(path) ?? 0,
    release() {
      for (const responses of hanging.values()) {
        for (const response of responses) response.writeHead(204).end();
        responses.clear();
      }
    },
    fetcher: createFetcher({
      ca: certificate.cert,
      allowPrivateNetworks: ['127.0.0.1/32'],
      resolver: async (name) => {
        if (name === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
        if (name === 'inside.test') return [{ address: '10.0.0.1', family: 4 }];
        if (name === 'public.test') return [{ address: '93.184.216.34', family: 4 }];
        if (name.endsWith('.rebound.test')) {
          const isFirst = !lookups.has(name);
          lookups.add(name);
          return [{ address: isFirst ? '93.184.216.34' : '10.0.0.1', family: 4 }];
        }
        const code = name === 'trouble.test' ? 'EAI_AGAIN' : 'ENOTFOUND';
        throw Object.assign(new Error('The resolver of the tests'), { code });
      },
    }),
    close: () => server.close(),
  };
  return receiver;

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const body = await text(request);
    const event = JSON.parse(body) as WebhookEvent;
    receiver.received.push({ path, headers: request.headers, body, event, atMs: performance.now() });
    const behavior = receiver.nextBehaviors.get(path)?.shift() ?? receiver.defaultBehaviors.get(path) ?? 204;
    if (typeof behavior === 'function') return behavior(response, request);
    if (behavior !== 'hang') return void response.writeHead(behavior).end(`The answer ${behavior}`);
    const waiting = hanging.get(path) ?? new Set();
    hanging.set(path, waiting.add(response));
    maxWaitingByPath.set(path, Math.max(maxWaitingByPath.get(path) ?? 0, waiting.size));
    response.on('close', () => waiting.delete(response));
  }
}
