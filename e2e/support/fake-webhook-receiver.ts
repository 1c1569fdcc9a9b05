import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createTestCertificate, startTlsServer } from '#server/platform/net/testing/tls-fixture.ts';
import { createTempDirectory } from './clips.ts';

export interface FakeWebhookRequest {
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface FakeWebhookReceiver {
  /** Returns the URL of a path. It accepts deliveries on any path. */
  url(path: string): string;
  requestsAt(path: string): FakeWebhookRequest[];
  response: { status: number; body: string };
  /** Environment of a service that trusts its certificate and may reach this machine. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

export async function startFakeWebhookReceiver(): Promise<FakeWebhookReceiver> {
  const certificate = createTestCertificate(['127.0.0.1']);
  const ca = path.join(createTempDirectory(), 'receiver.pem');
  writeFileSync(ca, certificate.cert);
  const received: FakeWebhookRequest[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(receiver.response.status).end(receiver.response.body);
  };
  const server = await startTlsServer(certificate, (request, response) => void take(request, response));
  const receiver: FakeWebhookReceiver = {
    url: (to) => `https://127.0.0.1:${server.port}${to}`,
    requestsAt: (to) => received.filter((one) => one.path === to),
    response: { status: 204, body: '' },
    environment: { NODE_EXTRA_CA_CERTS: ca, ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' },
    close: () => server.close(),
  };
  return receiver;
}
