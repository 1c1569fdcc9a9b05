import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';

/** How the server handles a submit. `drop`: accepts the job and closes the connection. `hang`: responds once released. */
type FakeSubmitBehavior = 'take' | 'busy' | 'refuse' | 'drop' | 'hang' | 'done';
/**
 * What a poll returns. `text`, `empty`: completed with a file that is not an image, or without one. `hang`: nothing until
 * released.
 */
export type FakePollBehavior =
  | 'running'
  | 'done'
  | 'failed'
  | 'busy'
  | 'drop'
  | 'garbage'
  | 'text'
  | 'empty'
  | 'unsure'
  | 'hang';

interface FakeProviderJob {
  id: string;
  key: string;
  canceled: boolean;
  polls: number;
}

export interface FakeProviderServer {
  base_url: string;
  /** One per accepted submit; with `knowsKeys` one per key. */
  jobs: FakeProviderJob[];
  submits: string[];
  /** Jobs whose cancel came too late. */
  lateCancels: string[];
  knowsKeys: boolean;
  /** The next responses; then `take` and `poll_default`. */
  behaviors: {
    submit: FakeSubmitBehavior[];
    poll: FakePollBehavior[];
    /** `late`: the job is complete. */ cancel: ('busy' | 'drop' | 'late')[];
  };
  poll_default: FakePollBehavior;
  /** What a canceled job has cost. */
  canceledCostUsd: string | null;
  release(): void;
  reset(): void;
  close(): Promise<void>;
}

export async function startFakeProviderServer(): Promise<FakeProviderServer> {
  const picture = await sharp({ create: { width: 4, height: 2, channels: 3, background: '#446688' } })
    .png()
    .toBuffer();
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const studio: FakeProviderServer = {
    base_url: `http://127.0.0.1:${port}`,
    jobs: [],
    submits: [],
    lateCancels: [],
    knowsKeys: false,
    behaviors: { submit: [], poll: [], cancel: [] },
    poll_default: 'done',
    canceledCostUsd: null,
    release() {
      for (const go of waiting.splice(0)) go();
    },
    reset() {
      studio.release();
      Object.assign(studio, {
        jobs: [],
        submits: [],
        lateCancels: [],
        knowsKeys: false,
        poll_default: 'done',
        canceledCostUsd: null,
      });
      studio.behaviors = { submit: [], poll: [], cancel: [] };
    },
    async close() {
      studio.release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return studio;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', studio.base_url);
    if (pathname === '/picture.png') return void response.end(picture);
    if (pathname === '/text.png') return void response.end('not a picture');
    const body = await text(request);
    if (pathname === '/jobs') return submit((JSON.parse(body) as { key: string }).key, response);
    const [, , id, verb] = pathname.split('/');
    const job = studio.jobs.find((one) => one.id === id);
    if (!job) return sendJson(response, 404, { error: 'There is no such job.' });
    if (verb !== 'cancel') return tell(job, response);
    const act = studio.behaviors.cancel.shift();
    if (act === 'drop') return void response.destroy();
    if (act === 'busy') return sendJson(response, 429, {}, { 'retry-after': '0' });
    if (act === 'late') {
      studio.lateCancels.push(job.id);
      return sendJson(response, 409, { error: 'The job is complete.' });
    }
    job.canceled = true;
    sendJson(response, 200, { id: job.id, state: 'canceled' });
  }

  async function submit(key: string, response: ServerResponse): Promise<void> {
    studio.submits.push(key);
    const act = studio.behaviors.submit.shift() ?? 'take';
    if (act === 'busy') return sendJson(response, 429, {}, { 'retry-after': '0' });
    if (act === 'refuse') return sendJson(response, 422, { error: 'This prompt is not allowed.' });
    const job = take(key);
    if (act === 'hang') await new Promise<void>((resolve) => waiting.push(resolve));
    if (act === 'drop') return void response.destroy();
    sendJson(
      response,
      200,
      act === 'done' ? completedJob(job.id, '/picture.png') : { id: job.id, state: 'running', progress: 0.1 },
    );
  }

  function take(key: string): FakeProviderJob {
    const known = studio.knowsKeys ? studio.jobs.find((job) => job.key === key) : undefined;
    if (known) return known;
    const job = { id: `job-${studio.jobs.length + 1}`, key, canceled: false, polls: 0 };
    studio.jobs.push(job);
    return job;
  }

  function tell(job: FakeProviderJob, response: ServerResponse): void {
    job.polls += 1;
    const { id } = job;
    if (job.canceled) return sendJson(response, 200, { id, state: 'canceled', cost_usd: studio.canceledCostUsd });
    const act = studio.behaviors.poll.shift() ?? studio.poll_default;
    const answers: Record<FakePollBehavior, () => void> = {
      running: () => sendJson(response, 200, { id, state: 'running', progress: 0.5 }),
      done: () => sendJson(response, 200, completedJob(id, '/picture.png')),
      text: () => sendJson(response, 200, completedJob(id, '/text.png')),
      empty: () => sendJson(response, 200, { id, state: 'done', outputs: [], cost_usd: '0.01' }),
      unsure: () => sendJson(response, 200, { ...completedJob(id, '/picture.png'), state: 'unsure' }),
      failed: () => sendJson(response, 200, { id, state: 'failed', error: 'The model broke down.', cost_usd: '0.01' }),
      busy: () => sendJson(response, 429, {}, { 'retry-after': '0' }),
      garbage: () => void response.end('<html>'),
      drop: () => void response.destroy(),
      hang: () => void waiting.push(() => tell(job, response)),
    };
    answers[act]();
  }
}

const completedJob = (id: string, path: string) => ({ id, state: 'done', outputs: [path], cost_usd: '0.01' });

const sendJson = (response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
