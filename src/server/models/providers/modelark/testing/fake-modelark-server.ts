import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { findVideoProblem, imageRequestSchema, videoRequestSchema } from './fake-modelark-schemas.ts';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';

/** The requests that a fake ModelArk received, and overrides of its tasks. */
export interface FakeModelArkState {
  created: { path: string; body: unknown }[];
  /** Overrides properties of tasks. */
  overrides: Record<string, unknown>;
}

export const createFakeModelArkState = (): FakeModelArkState => ({ created: [], overrides: {} });

const STATUS = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'cancelled',
} as const satisfies Record<FakeUpstreamJob['state'], string>;

const TASKS = '/contents/generations/tasks';

function problem(response: ServerResponse, status: number, code: string, message: string): void {
  const error = { code, message: `${message} Request id: 021753412345678abc`, param: '', type: 'BadRequest' };
  sendJson(response, status, { error });
}

/** Fake of ModelArk’s images and video tasks, modeled on its documentation. */
export function createFakeModelArkHandler(
  upstream: FakeUpstream,
  account = createFakeModelArkState(),
): RequestListener {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', upstream.origin);
    const text = (await readRequestBody(request)).toString();
    const [, position] = /^\/tos\/(\d+)\.mp4$/.exec(pathname) ?? [];
    if (position !== undefined) return void response.end(upstream.outputs[Number(position)]);
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    if (key !== upstream.api_key)
      return problem(response, 401, 'AuthenticationError', `The API key ${key} doesn't exist.`);
    const at = `${request.method} ${pathname}`;
    if (at === 'POST /images/generations') return createImages(JSON.parse(text), response);
    if (at === `POST ${TASKS}`) return createTask(JSON.parse(text), response);
    if (at === `GET ${TASKS}`) return sendJson(response, 200, { items: [], total: upstream.jobs.length });
    const job = upstream.findJob(pathname.slice(TASKS.length + 1));
    if (!job) return problem(response, 404, 'ResourceNotFound', 'The specified task was not found.');
    if (request.method === 'DELETE') return deleteTask(job, response);
    sendJson(response, 200, describeTask(job));
  }

  function createImages(body: unknown, response: ServerResponse): void {
    const { data, error } = imageRequestSchema.safeParse(body);
    if (!data) return problem(response, 400, 'InvalidParameter', `Invalid ${error?.issues[0]?.path.join('.')}.`);
    if (upstream.refuses_content)
      return problem(response, 400, 'OutputImageSensitiveContentDetected', 'The output may contain sensitive content.');
    account.created.push({ path: '/images/generations', body });
    upstream.createJob(null);
    const { model, size, output_format = 'jpeg' } = data;
    const images = upstream.outputs.map((bytes) => ({ b64_json: bytes.toString('base64'), size, output_format }));
    const usage = { generated_images: images.length, output_tokens: 4096, total_tokens: 4096 };
    sendJson(response, 200, { model, created: 1_790_000_000, data: images, usage });
  }

  function createTask(body: unknown, response: ServerResponse): void {
    const { data, error } = videoRequestSchema.safeParse(body);
    const message = data ? findVideoProblem(data) : `Invalid ${error?.issues[0]?.path.join('.')}.`;
    if (message !== null) return problem(response, 400, 'InvalidParameter', message);
    account.created.push({ path: TASKS, body });
    sendJson(response, 200, { id: upstream.createJob(null).id });
  }

  /** Cancels a queued task; deletes the record of a completed one. */
  function deleteTask(job: FakeUpstreamJob, response: ServerResponse): void {
    if (job.state === 'running') return problem(response, 400, 'InvalidAction', 'A running task cannot be canceled.');
    if (job.state === 'queued') job.state = 'canceled';
    else upstream.jobs.splice(upstream.jobs.indexOf(job), 1);
    sendJson(response, 200, {});
  }

  function describeTask(job: FakeUpstreamJob): Record<string, unknown> {
    const isRefused = upstream.refuses_content && job.state !== 'queued';
    const status = isRefused ? 'failed' : STATUS[job.state];
    const error = isRefused
      ? { code: 'OutputVideoSensitiveContentDetected', message: 'The output video may contain sensitive content.' }
      : { code: 'InternalServiceError', message: 'The service encountered an unexpected internal error.' };
    const [video_url] = upstream.outputs.map((_, at) => upstream.output_url ?? `${upstream.origin}/tos/${at}.mp4`);
    return {
      id: job.id,
      model: 'dreamina-seedance-2-0-260128',
      status,
      content: status === 'succeeded' ? { video_url } : null,
      usage: status === 'succeeded' ? { completion_tokens: 108_000, total_tokens: 108_000 } : null,
      error: status === 'failed' ? error : null,
      created_at: 1_790_000_000,
      updated_at: 1_790_000_060,
      framespersecond: 24,
      ...account.overrides,
    };
  }

  return (request, response) =>
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}
