import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';
import type { ComfyUiWorkflow } from '#server/models/providers/comfyui/compile-workflow.ts';
import { fakeObjectInfo, fakePromptOutputs, validateFakePrompt } from './fake-comfyui-nodes.ts';

export interface FakeComfyUiPrompt {
  id: string;
  workflow: ComfyUiWorkflow;
  extra_data: Record<string, unknown>;
  job: FakeUpstreamJob;
}

/** The state of a fake ComfyUI and the requests that it received. */
export interface FakeComfyUiState {
  /** Behaves as before 2025: it chooses prompt ids and interrupts whatever runs. */
  is_legacy: boolean;
  /** Since June 2026. */
  has_jobs_api: boolean;
  /** A proxy in front requires a key. */
  requires_key: boolean;
  prompts: FakeComfyUiPrompt[];
  /** Keyed by path in the input folder. */
  inputs: Map<string, Buffer>;
  interrupts: unknown[];
  views: Record<string, string>[];
  /** Sent to the client whose prompt runs; null: the server has no websocket. */
  websocket_messages: unknown[] | null;
  exception: { message: string; type: string };
}

export const createFakeComfyUiState = (): FakeComfyUiState => ({
  is_legacy: false,
  has_jobs_api: true,
  requires_key: true,
  prompts: [],
  inputs: new Map(),
  interrupts: [],
  views: [],
  websocket_messages: null,
  exception: { message: 'mat1 and mat2 shapes cannot be multiplied\n', type: 'RuntimeError' },
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PROMPT_FIELDS = [
  'prompt',
  'prompt_id',
  'client_id',
  'extra_data',
  'number',
  'front',
  'partial_execution_targets',
];
const SYSTEM_STATS = { system: { comfyui_version: '0.28.0' }, devices: [{ name: 'cuda:0 NVIDIA RTX 6000' }] };
/** ComfyUI's server behind a proxy that requires a key, modeled on its `server.py` and `execution.py`. */
export function createFakeComfyUiHandler(upstream: FakeUpstream, state = createFakeComfyUiState()): RequestListener {
  /** A prompt whose job a test removed is in neither list. */
  const knownPrompts = (): FakeComfyUiPrompt[] => state.prompts.filter(({ job }) => upstream.jobs.includes(job));
  const inState = (...states: FakeUpstreamJob['state'][]) =>
    knownPrompts().filter(({ job }) => states.includes(job.state));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', upstream.origin);
    const body = await readRequestBody(request);
    const key = request.headers.authorization;
    if (state.requires_key && key !== `Bearer ${upstream.api_key}`)
      return void response.writeHead(401).end(`Who is ${key}?`);
    const routes: Record<string, () => unknown> = {
      'GET /queue': () => sendJson(response, 200, queue()),
      'POST /queue': () => changeQueue(JSON.parse(body.toString()), response),
      'POST /prompt': () => prompt(JSON.parse(body.toString()), response),
      'POST /interrupt': () => interrupt(JSON.parse(body.toString()), response),
      'POST /upload/image': () => upload(request, body, response),
      'GET /ws': () => openWebsocket(request, searchParams.get('clientId'), response),
      'GET /view': () => view(searchParams, response),
      'GET /system_stats': () => sendJson(response, 200, SYSTEM_STATS),
    };
    const [, canceled_id = ''] = /^\/api\/jobs\/([\w-]+)\/cancel$/.exec(pathname) ?? [];
    if (request.method === 'POST' && canceled_id !== '' && state.has_jobs_api && !state.is_legacy)
      return cancelJob(canceled_id, response);
    const [, id = ''] = /^\/history\/([\w-]+)$/.exec(pathname) ?? [];
    if (request.method === 'GET' && id !== '') return sendJson(response, 200, history(id));
    const [, class_type] = /^\/object_info\/([^/]+)$/.exec(pathname) ?? [];
    if (request.method === 'GET' && class_type !== undefined)
      return sendJson(response, 200, fakeObjectInfo(decodeURIComponent(class_type)));
    const route = routes[`${request.method} ${pathname}`];
    await (route ? route() : response.writeHead(404).end('404: Not Found'));
  }

  const item = ({ id, workflow, extra_data }: FakeComfyUiPrompt, index: number): unknown[] => [
    index,
    id,
    workflow,
    extra_data,
    [],
  ];
  const queue = () => ({ queue_running: inState('running').map(item), queue_pending: inState('queued').map(item) });

  function prompt(sent: Record<string, unknown>, response: ServerResponse): void {
    if (Object.keys(sent).some((name) => !PROMPT_FIELDS.includes(name))) return void response.writeHead(400).end();
    const prompt_id = state.is_legacy ? undefined : sent['prompt_id'];
    if (prompt_id !== undefined && !(typeof prompt_id === 'string' && UUID.test(prompt_id))) {
      const error = {
        type: 'invalid_prompt_id',
        message: 'prompt_id must be a valid UUID',
        details: '',
        extra_info: {},
      };
      return sendJson(response, 400, { error, node_errors: {} });
    }
    const workflow = sent['prompt'] as ComfyUiWorkflow;
    const { error, node_errors } = validateFakePrompt(workflow, state.inputs);
    if (error) return sendJson(response, 400, { error, node_errors });
    const id = prompt_id ?? randomUUID();
    const extra_data = {
      ...(sent['extra_data'] as object | undefined),
      client_id: sent['client_id'],
      create_time: 1_767_225_600_000,
    };
    state.prompts.push({ id, workflow, extra_data, job: upstream.createJob(prompt_id ?? null) });
    sendJson(response, 200, { prompt_id: id, number: state.prompts.length, node_errors });
  }

  function changeQueue(sent: { delete?: string[] }, response: ServerResponse): void {
    for (const { id, job } of inState('queued')) if (sent.delete?.includes(id)) dropJob(job);
    response.writeHead(200).end();
  }

  function cancelJob(id: string, response: ServerResponse): void {
    const known = knownPrompts().find((one) => one.id === id);
    if (!known) return sendJson(response, 404, { error: 'Job not found' });
    const cancelled = ['queued', 'running'].includes(known.job.state);
    if (known.job.state === 'queued') dropJob(known.job);
    if (cancelled) known.job.state = 'canceled';
    sendJson(response, 200, { cancelled });
  }

  /** A prompt deleted from the queue is not in the history either. */
  function dropJob(job: FakeUpstreamJob): void {
    job.state = 'canceled';
    upstream.jobs.splice(upstream.jobs.indexOf(job), 1);
  }

  function interrupt(sent: { prompt_id?: string }, response: ServerResponse): void {
    state.interrupts.push(sent);
    const stopped = inState('running').filter(({ id }) => state.is_legacy || !sent.prompt_id || id === sent.prompt_id);
    for (const { job } of stopped) job.state = 'canceled';
    response.writeHead(200).end();
  }

  function history(id: string): Record<string, unknown> {
    const [completed_prompt] = inState('succeeded', 'failed', 'canceled').filter((one) => one.id === id);
    if (!completed_prompt) return {};
    const outputs = completed_prompt.job.state === 'succeeded' ? outputsOf(completed_prompt) : {};
    const messages = [['execution_start', { prompt_id: id, timestamp: 1 }], ...lastMessages(completed_prompt)];
    const completed = completed_prompt.job.state === 'succeeded';
    const status = { status_str: completed ? 'success' : 'error', completed, messages };
    return { [id]: { prompt: item(completed_prompt, 0), outputs, status, meta: {} } };
  }

  const outputsOf = ({ workflow }: FakeComfyUiPrompt) =>
    fakePromptOutputs(workflow, upstream.outputs.length, {
      subfolder: 'created here',
      nameFile: (node, index, extension) => `${node}_${index}_.${extension}`,
    });

  function lastMessages({ id: prompt_id, job }: FakeComfyUiPrompt): unknown[] {
    const { message: exception_message, type: exception_type } = state.exception;
    const details = { prompt_id, node_id: '3', node_type: 'KSampler', executed: ['4'], timestamp: 2 };
    if (job.state === 'canceled') return [['execution_interrupted', details]];
    if (job.state === 'succeeded') return [['execution_success', { prompt_id, timestamp: 2 }]];
    return [['execution_error', { ...details, exception_message, exception_type, traceback: [], current_inputs: {} }]];
  }

  async function upload(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const headers = { 'content-type': String(request.headers['content-type']) };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const image = form.get('image');
    if (!(image instanceof File) || form.get('type') !== 'input') return void response.writeHead(400).end();
    const subfolder = String(form.get('subfolder') ?? '');
    state.inputs.set(`${subfolder}/${image.name}`, Buffer.from(await image.arrayBuffer()));
    sendJson(response, 200, { name: image.name, subfolder, type: 'input' });
  }

  function openWebsocket(request: IncomingMessage, client: string | null, response: ServerResponse): void {
    const { origin, 'sec-websocket-key': key } = request.headers;
    if (!state.websocket_messages || !key) return void response.writeHead(404).end();
    if (origin !== undefined && origin !== upstream.origin) return void response.writeHead(403).end();
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    response.writeHead(101, { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': accept });
    response.flushHeaders();
    const events = inState('running').some(({ extra_data }) => extra_data['client_id'] === client)
      ? state.websocket_messages
      : [];
    const status = { type: 'status', data: { status: { exec_info: { queue_remaining: 1 } }, sid: client } };
    for (const message of [status, ...events]) response.socket?.write(textFrame(JSON.stringify(message)));
  }

  function view(query: URLSearchParams, response: ServerResponse): void {
    state.views.push(Object.fromEntries(query));
    if (upstream.output_url !== null) return void response.writeHead(302, { location: upstream.output_url }).end();
    const index = /^[\w:]+_(\d+)_\.\w+$/.exec(query.get('filename') ?? '')?.[1];
    const bytes = upstream.outputs[Number(index)];
    if (!bytes || query.get('subfolder') !== 'created here') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  }

  return (request, response) =>
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}

/** Encodes a text message of 126 bytes to 64 kB (RFC 6455). */
function textFrame(text: string): Buffer {
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(Buffer.byteLength(text), 2);
  return Buffer.concat([head, Buffer.from(text)]);
}
