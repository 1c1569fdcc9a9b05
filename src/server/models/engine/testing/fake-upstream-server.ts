import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeUpstreamJob {
  readonly id: string;
  readonly submit_key: string | null;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';
}

/** The jobs behind a fake provider's protocol, set by a test. */
export interface FakeUpstream {
  /** The accepted key. A wrong key is repeated in the error, as careless servers do. */
  readonly api_key: string;
  readonly origin: string;
  readonly jobs: FakeUpstreamJob[];
  outputs: Buffer[];
  output_url: string | null;
  /** Makes the content filter refuse, as the protocol does. */
  refuses_content: boolean;
  /** What its text model answers; null: the prompt with a few more words. */
  answer: string | null;
  createJob(submit_key: string | null): FakeUpstreamJob;
  findJob(id: string): FakeUpstreamJob | undefined;
}

export interface FakeUpstreamServer {
  readonly upstream: FakeUpstream;
  readonly base_url: string;
  /** Answers requests without faults. */
  readonly listener: RequestListener;
  injectFault(fault: Fault): void;
  close(): Promise<void>;
}

export type Fault = (request: IncomingMessage, response: ServerResponse, serve: () => void) => void;

export async function startFakeUpstream(
  api_key: string,
  protocol: (upstream: FakeUpstream) => RequestListener,
): Promise<FakeUpstreamServer> {
  const faults: Fault[] = [];
  const server = createServer((request, response) => {
    // As most providers do, beside the ids of their jobs.
    response.setHeader('x-request-id', randomUUID());
    const fault = faults.shift();
    if (fault) fault(request, response, () => listener(request, response));
    else listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jobs: FakeUpstreamJob[] = [];
  const upstream: FakeUpstream = {
    api_key,
    origin,
    jobs,
    outputs: [],
    output_url: null,
    refuses_content: false,
    answer: null,
    createJob(submit_key) {
      const existing = submit_key === null ? undefined : jobs.find((job) => job.submit_key === submit_key);
      if (existing) return existing;
      const job: FakeUpstreamJob = { id: randomUUID(), submit_key, state: 'queued' };
      jobs.push(job);
      return job;
    },
    findJob: (id) => jobs.find((job) => job.id === id),
  };
  const listener = protocol(upstream);
  return {
    upstream: upstream,
    base_url: origin,
    listener,
    injectFault: (fault) => void faults.push(fault),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const respondWith =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
  };

export const truncateResponse: Fault = (_request, response, serve) => {
  const truncatedEnd = (body?: unknown): ServerResponse => {
    const bytes = Buffer.from(body instanceof Uint8Array ? body : String(body ?? ''));
    response.write(bytes.subarray(0, Math.max(1, bytes.length / 2)), () => response.destroy());
    return response;
  };
  response.end = truncatedEnd as ServerResponse['end'];
  serve();
};

/** Never responds. @param onRequest called when the request has arrived */
export const neverRespond =
  (onRequest: () => void): Fault =>
  (request) => {
    request.resume();
    onRequest();
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
