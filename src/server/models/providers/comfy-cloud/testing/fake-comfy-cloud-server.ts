import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { ComfyUiWorkflow } from '#server/models/providers/comfyui/compile-workflow.ts';
import {
  fakeObjectInfo,
  fakePromptOutputs,
  validateFakePrompt,
} from '#server/models/providers/comfyui/testing/fake-comfyui-nodes.ts';
import {
  type FakeUpstream,
  type FakeUpstreamJob,
  readRequestBody,
  sendJson,
} from '#server/models/engine/testing/fake-upstream-server.ts';

interface FakeCloudPrompt {
  workflow: ComfyUiWorkflow;
  extra_data: unknown;
  job: FakeUpstreamJob;
}

/** The state of a fake Comfy Cloud and the requests that it received. */
export interface FakeComfyCloudState {
  prompts: FakeCloudPrompt[];
  inputs: Map<string, Buffer>;
  /** Newer versions cancel running jobs too. */
  has_jobs_cancel: boolean;
  /** The guide and the OpenAPI file name other states. */
  uses_guide_states: boolean;
}

export const createFakeComfyCloudState = (): FakeComfyCloudState => ({
  prompts: [],
  inputs: new Map(),
  has_jobs_cancel: true,
  uses_guide_states: false,
});

const YAML_STATES = {
  queued: 'pending',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'error',
  canceled: 'cancelled',
};
const GUIDE_STATES = { ...YAML_STATES, queued: 'queued_waiting', running: 'executing', succeeded: 'success' };
const PROMPT_FIELDS = ['prompt', 'number', 'front', 'extra_data', 'partial_execution_targets'];

/** Comfy Cloud, modeled on openapi-cloud.yaml of docs.comfy.org. `/interrupt` fails, because it stops other jobs. */
export function createFakeComfyCloudHandler(
  upstream: FakeUpstream,
  state = createFakeComfyCloudState(),
): RequestListener {
  const known = () => state.prompts.filter(({ job }) => upstream.jobs.includes(job));
  const find = (id: string | undefined) => known().find(({ job }) => job.id === id);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', upstream.origin);
    const body = await readRequestBody(request);
    const signed = /^\/signed\/(\d+)$/.exec(pathname);
    if (signed) return void response.end(upstream.outputs[Number(signed[1])]);
    const key = request.headers['x-api-key'];
    if (key !== upstream.api_key)
      return sendJson(response, 401, { code: 'UNAUTHORIZED', message: `Invalid key ${String(key)}` });
    const [, kind, id, action] = pathname.split('/');
    const route = `${request.method} /${kind}${id === undefined ? '' : id === 'image' || id === 'cancel' ? `/${id}` : '/id'}`;
    if (route === 'POST /prompt') return prompt(JSON.parse(body.toString()), response);
    if (route === 'GET /job/id' && action === 'status') return status(find(id), response);
    if (route === 'GET /jobs/id') return details(find(id), response);
    if (route === 'GET /jobs') return list(response);
    if (route === 'POST /jobs/cancel' && state.has_jobs_cancel)
      return cancel(JSON.parse(body.toString()).job_ids, ['queued', 'running'], response);
    if (route === 'POST /queue') return cancel(JSON.parse(body.toString()).delete, ['queued'], response);
    if (route === 'GET /queue') return queue(response);
    if (route === 'GET /object_info') return sendJson(response, 200, fakeObjectInfo());
    if (route === 'GET /user') return sendJson(response, 200, { status: 'active' });
    if (route === 'POST /upload/image') return upload(request, body, response);
    if (route === 'GET /view') return view(searchParams, response);
    sendJson(response, 404, { code: 'NOT_FOUND', message: 'Not found' });
  }

  function prompt(sent: Record<string, unknown>, response: ServerResponse): void {
    if (Object.keys(sent).some((name) => !PROMPT_FIELDS.includes(name)))
      return sendJson(response, 400, { code: 'BAD_REQUEST', message: 'Unknown field' });
    const workflow = sent['prompt'] as ComfyUiWorkflow;
    const { error, node_errors } = validateFakePrompt(workflow, state.inputs);
    if (error) return sendJson(response, 400, { error, node_errors });
    const job = upstream.createJob(null);
    state.prompts.push({ workflow, extra_data: sent['extra_data'], job });
    sendJson(response, 200, { prompt_id: job.id, number: state.prompts.length, node_errors });
  }

  const notFound = (response: ServerResponse) => sendJson(response, 404, { code: 'NOT_FOUND', message: 'No such job' });

  function status(found: FakeCloudPrompt | undefined, response: ServerResponse): void {
    if (!found) return notFound(response);
    const states = state.uses_guide_states ? GUIDE_STATES : YAML_STATES;
    const error_message = found.job.state === 'failed' ? 'Node 3 failed' : null;
    sendJson(response, 200, { id: found.job.id, status: states[found.job.state], error_message });
  }

  function details(found: FakeCloudPrompt | undefined, response: ServerResponse): void {
    if (!found) return notFound(response);
    const { workflow, job } = found;
    const failure = {
      node_id: '3',
      node_type: 'KSampler',
      exception_type: 'RuntimeError',
      exception_message: 'Broken',
    };
    const outputs = fakePromptOutputs(workflow, upstream.outputs.length, {
      subfolder: '',
      nameFile: (_node, index, extension) => `${index}.${extension}`,
    });
    sendJson(response, 200, {
      id: job.id,
      workflow: { prompt: workflow },
      ...(job.state === 'succeeded' ? { outputs } : {}),
      ...(job.state === 'failed' ? { execution_error: failure } : {}),
    });
  }

  function list(response: ServerResponse): void {
    const create_time = Math.floor(Date.now() / 1000);
    sendJson(response, 200, { jobs: known().map(({ job }) => ({ id: job.id, status: 'pending', create_time })) });
  }

  function queue(response: ServerResponse): void {
    const items = (wanted: string) =>
      known()
        .filter(({ job }) => job.state === wanted)
        .map(({ job, workflow }, index) => [index + 1, job.id, workflow, [], {}]);
    sendJson(response, 200, { queue_running: items('running'), queue_pending: items('queued') });
  }

  function cancel(ids: string[], states: string[], response: ServerResponse): void {
    for (const { job } of known()) if (ids.includes(job.id) && states.includes(job.state)) job.state = 'canceled';
    sendJson(response, 200, {});
  }

  async function upload(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const headers = { 'content-type': String(request.headers['content-type']) };
    const image = (await new Response(new Uint8Array(body), { headers }).formData()).get('image');
    if (!(image instanceof File)) return sendJson(response, 400, { code: 'BAD_REQUEST', message: 'No image' });
    const bytes = Buffer.from(await image.arrayBuffer());
    const name = `${createHash('sha256').update(bytes).digest('hex')}.png`;
    state.inputs.set(name, bytes);
    sendJson(response, 200, { name, subfolder: '', type: 'input' });
  }

  function view(query: URLSearchParams, response: ServerResponse): void {
    const [, index] = /^(\d+)\.\w+$/.exec(query.get('filename') ?? '') ?? [];
    response.writeHead(302, { location: upstream.output_url ?? `/signed/${index}` }).end();
  }

  return (request, response) =>
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}
