import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeUpstreamJob {
  readonly id: string;
  readonly submit_key: string | null;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
}

/** What an upstream's local server speaks for: the work behind its protocol, as a test wants it to be. */
export interface FakeUpstream {
  /** The key that the server asks for; it repeats a wrong one in its refusal, as careless servers do. */
  readonly api_key: string;
  /** The server's own, for addresses of outputs. */
  readonly origin: string;
  readonly jobs: FakeUpstreamJob[];
  /** What each job makes. None: it ends well with nothing to show. */
  outputs: Buffer[];
  /** Given as the address of each output, or as where its address leads, instead of the server's own. */
  output_url: string | null;
  /** The upstream's content filter refuses, in the way and with the words of its protocol. */
  refuses_content: boolean;
  /** Work that was asked for. The same job for the same key where the protocol has one. */
  createJob(submit_key: string | null): FakeUpstreamJob;
  findJob(id: string): FakeUpstreamJob | undefined;
}

export interface FakeUpstreamServer {
  readonly upstream: FakeUpstream;
  readonly base_url: string;
  /** Done to the next request instead of serving it, or around it. */
  injectFault(fault: Fault): void;
  close(): Promise<void>;
}

export type Fault = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void;

/** Serves a protocol on the loopback interface; for tests alone. */
export async function startFakeUpstream(
  api_key: string,
  protocol: (studio: FakeUpstream) => RequestListener,
): Promise<FakeUpstreamServer> {
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    const fault = faults.shift();
    if (fault) fault(request, response, () => listener(request, response));
    else listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jobs: FakeUpstreamJob[] = [];
  const studio: FakeUpstream = {
    api_key,
    origin,
    jobs,
    outputs: [],
    output_url: null,
    refuses_content: false,
    createJob(submit_key) {
      const known = submit_key === null ? undefined : jobs.find((job) => job.submit_key === submit_key);
      if (known) return known;
      const job: FakeUpstreamJob = { id: randomUUID(), submit_key, state: 'queued' };
      jobs.push(job);
      return job;
    },
    findJob: (id) => jobs.find((job) => job.id === id),
  };
  const listener = protocol(studio);
  return {
    upstream: studio,
    base_url: origin,
    injectFault: (fault) => void faults.push(fault),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An answer instead of the server's own. */
export const respondWith =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  };

/** The request takes its effect, and half of the answer goes out. */
export const truncateResponse: Fault = (_request, response, serve) => {
  const end = (body?: unknown): ServerResponse => {
    const bytes = Buffer.from(body instanceof Uint8Array ? body : String(body ?? ''));
    response.write(bytes.subarray(0, Math.max(1, bytes.length / 2)), () => response.destroy());
    return response;
  };
  response.end = end as ServerResponse['end'];
  serve();
};

/** No answer, ever. @param begun called when the request is there */
export const neverRespond =
  (begun: () => void): Fault =>
  (request) => {
    request.resume();
    begun();
  };

export async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
