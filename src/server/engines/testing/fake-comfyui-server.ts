import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readRequestBody, sendJson, type FakeUpstream, type FakeUpstreamJob } from './fake-upstream-server.ts';
import type { ComfyUiWorkflow } from '../comfyui/compile-workflow.ts';
import { validateFakePrompt } from './fake-comfyui-nodes.ts';

export interface FakeComfyUiPrompt {
  id: string;
  workflow: ComfyUiWorkflow;
  extra_data: Record<string, unknown>;
  job: FakeUpstreamJob;
}

/** One ComfyUI as a test wants it, and what it was sent; for tests alone. */
export interface FakeComfyUiState {
  /** As it was until 2025: it names prompts itself, queues one twice, and stops whatever runs. */
  is_legacy: boolean;
  prompts: FakeComfyUiPrompt[];
  /** By path in the folder of inputs. */
  inputs: Map<string, Buffer>;
  /** The bodies of `/interrupt`. */
  interrupts: unknown[];
  /** Queries of `/view`. */
  views: Record<string, string>[];
  /** What its websocket says to who asks for the prompt that runs; null: it has none. */
  websocket_messages: unknown[] | null;
  /** What breaks while it runs. */
  exception: { message: string; type: string };
}

export const createFakeComfyUiState = (): FakeComfyUiState => ({
  is_legacy: false,
  prompts: [],
  inputs: new Map(),
  interrupts: [],
  views: [],
  websocket_messages: null,
  exception: { message: 'mat1 and mat2 shapes cannot be multiplied\n', type: 'RuntimeError' },
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const OUTPUT_FOLDERS: Readonly<Record<string, string>> = { SaveImage: 'output', PreviewImage: 'temp' };

/** ComfyUI's server behind a proxy that asks for a key, as its `server.py` and `execution.py` have it; for tests alone. */
export function createFakeComfyUiHandler(studio: FakeUpstream, machine = createFakeComfyUiState()): RequestListener {
  /** A prompt of which the test made its job forgotten is in neither list. */
  const there = (): FakeComfyUiPrompt[] => machine.prompts.filter(({ job }) => studio.jobs.includes(job));
  const inState = (...states: FakeUpstreamJob['state'][]) => there().filter(({ job }) => states.includes(job.state));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', studio.origin);
    const body = await readRequestBody(request);
    const key = request.headers.authorization;
    if (key !== `Bearer ${studio.api_key}`) return void response.writeHead(401).end(`Who is ${key}?`);
    const routes: Record<string, () => unknown> = {
      'GET /queue': () => sendJson(response, 200, queue()),
      'POST /queue': () => changeQueue(JSON.parse(body.toString()), response),
      'POST /prompt': () => prompt(JSON.parse(body.toString()), response),
      'POST /interrupt': () => interrupt(JSON.parse(body.toString()), response),
      'POST /upload/image': () => upload(request, body, response),
      'GET /ws': () => speak(request, searchParams.get('clientId'), response),
      'GET /view': () => view(searchParams, response),
    };
    const [, id = ''] = /^\/history\/([\w-]+)$/.exec(pathname) ?? [];
    if (request.method === 'GET' && id !== '') return sendJson(response, 200, history(id));
    const route = routes[`${request.method} ${pathname}`];
    await (route ? route() : response.writeHead(404).end('404: Not Found'));
  }

  const item = ({ id, workflow, extra_data }: FakeComfyUiPrompt, at: number): unknown[] => [
    at,
    id,
    workflow,
    extra_data,
    [],
  ];
  const queue = () => ({ queue_running: inState('running').map(item), queue_pending: inState('queued').map(item) });

  function prompt(sent: Record<string, unknown>, response: ServerResponse): void {
    const given = machine.is_legacy ? undefined : sent['prompt_id'];
    if (given !== undefined && !(typeof given === 'string' && UUID.test(given))) {
      const error = {
        type: 'invalid_prompt_id',
        message: 'prompt_id must be a valid UUID',
        details: '',
        extra_info: {},
      };
      return sendJson(response, 400, { error, node_errors: {} });
    }
    const workflow = sent['prompt'] as ComfyUiWorkflow;
    const { error, node_errors } = validateFakePrompt(workflow, machine.inputs);
    if (error) return sendJson(response, 400, { error, node_errors });
    if (there().some(({ id }) => id === given)) return sendJson(response, 409, { error: 'prompt_id already exists' });
    const id = given ?? randomUUID();
    const extra_data = { client_id: sent['client_id'], create_time: 1_767_225_600_000 };
    machine.prompts.push({ id, workflow, extra_data, job: studio.createJob(given ?? null) });
    sendJson(response, 200, { prompt_id: id, number: machine.prompts.length, node_errors });
  }

  function changeQueue(sent: { delete?: string[] }, response: ServerResponse): void {
    for (const { id, job } of inState('queued')) if (sent.delete?.includes(id)) forget(job);
    response.writeHead(200).end();
  }

  /** What is taken from the queue is nowhere any more. */
  function forget(job: FakeUpstreamJob): void {
    job.state = 'canceled';
    studio.jobs.splice(studio.jobs.indexOf(job), 1);
  }

  function interrupt(sent: { prompt_id?: string }, response: ServerResponse): void {
    machine.interrupts.push(sent);
    const stopped = inState('running').filter(
      ({ id }) => machine.is_legacy || !sent.prompt_id || id === sent.prompt_id,
    );
    for (const { job } of stopped) job.state = 'canceled';
    response.writeHead(200).end();
  }

  function history(id: string): Record<string, unknown> {
    const [ended] = inState('succeeded', 'failed', 'canceled').filter((one) => one.id === id);
    if (!ended) return {};
    const outputs = ended.job.state === 'succeeded' ? outputsOf(ended) : {};
    const messages = [['execution_start', { prompt_id: id, timestamp: 1 }], ...lastMessages(ended)];
    const completed = ended.job.state === 'succeeded';
    const status = { status_str: completed ? 'success' : 'error', completed, messages };
    return { [id]: { prompt: item(ended, 0), outputs, status, meta: {} } };
  }

  function outputsOf({ workflow }: FakeComfyUiPrompt): Record<string, unknown> {
    const savers = Object.entries(workflow).filter(([, { class_type }]) => class_type in OUTPUT_FOLDERS);
    const files = (node: string, type: string | undefined) =>
      studio.outputs.map((_, at) => ({ filename: `${node}_${at}_.png`, subfolder: 'made here', type }));
    return studio.outputs.length === 0
      ? {}
      : Object.fromEntries(
          savers.map(([id, node]) => [id, { images: files(id, OUTPUT_FOLDERS[node.class_type]), animated: [false] }]),
        );
  }

  function lastMessages({ id: prompt_id, job }: FakeComfyUiPrompt): unknown[] {
    const { message: exception_message, type: exception_type } = machine.exception;
    const at = { prompt_id, node_id: '3', node_type: 'KSampler', executed: ['4'], timestamp: 2 };
    if (job.state === 'canceled') return [['execution_interrupted', at]];
    if (job.state === 'succeeded') return [['execution_success', { prompt_id, timestamp: 2 }]];
    return [['execution_error', { ...at, exception_message, exception_type, traceback: [], current_inputs: {} }]];
  }

  async function upload(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const headers = { 'content-type': String(request.headers['content-type']) };
    const form = await new Response(new Uint8Array(body), { headers }).formData();
    const image = form.get('image');
    if (!(image instanceof File) || form.get('type') !== 'input') return void response.writeHead(400).end();
    const subfolder = String(form.get('subfolder') ?? '');
    machine.inputs.set(`${subfolder}/${image.name}`, Buffer.from(await image.arrayBuffer()));
    sendJson(response, 200, { name: image.name, subfolder, type: 'input' });
  }

  function speak(request: IncomingMessage, client: string | null, response: ServerResponse): void {
    const { origin, 'sec-websocket-key': key } = request.headers;
    if (!machine.websocket_messages || !key) return void response.writeHead(404).end();
    if (origin !== undefined && origin !== studio.origin) return void response.writeHead(403).end();
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    response.writeHead(101, { upgrade: 'websocket', connection: 'Upgrade', 'sec-websocket-accept': accept });
    response.flushHeaders();
    const told = inState('running').some(({ extra_data }) => extra_data['client_id'] === client)
      ? machine.websocket_messages
      : [];
    const status = { type: 'status', data: { status: { exec_info: { queue_remaining: 1 } }, sid: client } };
    for (const message of [status, ...told]) response.socket?.write(textFrame(JSON.stringify(message)));
  }

  function view(query: URLSearchParams, response: ServerResponse): void {
    machine.views.push(Object.fromEntries(query));
    if (studio.output_url !== null) return void response.writeHead(302, { location: studio.output_url }).end();
    const at = /^[\w:]+_(\d+)_\.png$/.exec(query.get('filename') ?? '')?.[1];
    const bytes = studio.outputs[Number(at)];
    if (!bytes || query.get('subfolder') !== 'made here') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes);
  }

  return (request, response) =>
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error));
}

/** A message of up to 64 kB as a server sends it (RFC 6455). */
function textFrame(text: string): Buffer {
  const head = Buffer.from([0x81, 126, 0, 0]);
  head.writeUInt16BE(Buffer.byteLength(text), 2);
  return Buffer.concat([head, Buffer.from(text)]);
}
