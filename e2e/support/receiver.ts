import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { makeCertificate, serveTls } from '#server/net/test-tls.ts';
import { scratchFolder } from './clips.ts';

export interface Received {
  path: string | undefined;
  headers: IncomingMessage['headers'];
  /** As it came in. */
  body: string;
}

/** Another system that is told of what is made. */
export interface Receiver {
  /** Where it takes deliveries: any path. */
  url(path: string): string;
  /** What came to a path, oldest first. */
  at(path: string): Received[];
  /** What it answers from now on. */
  answer: { status: number; body: string };
  /** Starts a service that trusts its certificate and may reach this machine. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** Serves it on the loopback interface, over HTTPS. */
export async function startReceiver(): Promise<Receiver> {
  const certificate = makeCertificate(['127.0.0.1']);
  const ca = path.join(scratchFolder(), 'receiver.pem');
  writeFileSync(ca, certificate.cert);
  const received: Received[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ path: request.url, headers: request.headers, body: await text(request) });
    response.writeHead(receiver.answer.status).end(receiver.answer.body);
  };
  const server = await serveTls(certificate, (request, response) => void take(request, response));
  const receiver: Receiver = {
    url: (to) => `https://127.0.0.1:${server.port}${to}`,
    at: (to) => received.filter((one) => one.path === to),
    answer: { status: 204, body: '' },
    environment: { NODE_EXTRA_CA_CERTS: ca, ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' },
    close: () => server.close(),
  };
  return receiver;
}
