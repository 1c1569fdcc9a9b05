import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { completeChat } from './fake-openai-chat.ts';
import { billImage, type FakeOpenAiCosts, pageOfCosts } from './fake-openai-costs.ts';
import { findSpeechProblem, speak } from './fake-openai-speech.ts';
import { findImageProblem, imageUsageOf } from './openai-image-rules.ts';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';

export interface FakeOpenAiRequest {
  path: string;
  headers: IncomingMessage['headers'];
  fields: Record<string, unknown>;
  /** In the order of the form. */
  files: { field: string; filename: string; mime_type: string; bytes: Buffer }[];
}

const oneOf =
  (...values: string[]) =>
  (value: unknown) =>
    typeof value === 'string' && values.includes(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const VIDEO = {
  prompt: isText,
  model: isText,
  seconds: oneOf('4', '8', '12'),
  size: oneOf('720x1280', '1280x720', '1024x1792', '1792x1024'),
};
type Schema = Record<string, (value: unknown) => boolean>;
/** Parameters of each call in the public OpenAPI description (2.3.0); those of images depend on the model. */
const CALLS: Record<string, { fields: Schema | null; files: string[]; needs_file: boolean }> = {
  '/images/generations': { fields: null, files: [], needs_file: false },
  '/images/edits': { fields: null, files: ['image', 'image[]', 'mask'], needs_file: true },
  '/videos': { fields: VIDEO, files: ['input_reference'], needs_file: false },
  '/videos/edits': { fields: { prompt: isText }, files: ['video'], needs_file: true },
};
const STATUS = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

interface FakeOpenAiOptions {
  models?: readonly string[];
  /** Otherwise a tone: the outputs are usually images. */
  speaks_outputs?: boolean;
  /** What the account owes. */
  costs?: FakeOpenAiCosts;
}

export function createFakeOpenAiHandler(
  upstream: FakeUpstream,
  sent: FakeOpenAiRequest[] = [],
  options: FakeOpenAiOptions = {},
): RequestListener {
  return (request, response) => {
    serve(upstream, sent, options, request, response).catch(() => response.destroy());
  };
}

async function serve(
  upstream: FakeUpstream,
  sent: FakeOpenAiRequest[],
  { models = ['local-painter'], speaks_outputs = false, costs }: FakeOpenAiOptions,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname: path, searchParams } = new URL(request.url ?? '', upstream.origin);
  if (path.startsWith('/outputs/')) return void response.end(upstream.outputs[Number(path.split('/')[2])]);
  const key = request.headers.authorization?.replace('Bearer ', '');
  if (path === '/organization/costs' && costs) {
    if (key !== upstream.api_key && key !== costs.key)
      return sendError(response, 401, 'invalid_api_key', `Incorrect API key provided: ${key}.`);
    if (key !== costs.key)
      return sendError(response, 403, 'insufficient_permissions', 'You have insufficient permissions: api.usage.read.');
    return sendJson(response, 200, pageOfCosts(costs, searchParams));
  }
  if (key !== upstream.api_key)
    return sendError(response, 401, 'invalid_api_key', `Incorrect API key provided: ${key}.`);
  if (request.method === 'GET' && path === '/models')
    return sendJson(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  if (request.method === 'POST' && path === '/chat/completions') {
    const chat = await readRequest(path, request);
    sent.push(chat);
    return sendJson(response, ...completeChat(upstream, chat.fields));
  }
  if (request.method === 'POST' && path === '/audio/speech') {
    const speech = await readRequest(path, request);
    sent.push(speech);
    return sendSpeech(upstream, speaks_outputs, speech, response);
  }
  const call = request.method === 'POST' ? CALLS[path] : undefined;
  if (!call) return serveVideo(upstream, request.method, path, response);
  const body = await readRequest(path, request);
  sent.push(body);
  const imageProblem = call.fields ? null : await findImageProblem({ ...body, is_edit: call.needs_file });
  const [problem, code] = imageProblem ?? [findProblem(call, body), 'invalid_value'];
  if (problem) return sendError(response, code === 'model_not_found' ? 404 : 400, code, problem);
  if (path.startsWith('/images/')) return sendImages(upstream, body, response, costs);
  sendJson(response, 200, videoResource(upstream, upstream.createJob(null)));
}

function sendImages(
  upstream: FakeUpstream,
  body: FakeOpenAiRequest,
  response: ServerResponse,
  costs: FakeOpenAiCosts | undefined,
): void {
  const { fields } = body;
  if (upstream.refuses_content)
    return sendError(response, 400, 'moderation_blocked', SAFETY, 'image_generation_user_error');
  upstream.createJob(null).state = 'succeeded';
  const byUrl = upstream.output_url !== null || String(fields['model']).startsWith('dall-e');
  const data = upstream.outputs.map((bytes, index) =>
    byUrl
      ? { url: upstream.output_url ?? `${upstream.origin}/outputs/${index}?signature=abc` }
      : { b64_json: bytes.toString('base64') },
  );
  const { quality: asked = 'auto', size } = fields;
  const quality = asked === 'auto' ? 'medium' : String(asked);
  const chosenOptions = { quality, size: size === 'auto' ? '1024x1024' : size, output_format: 'png' };
  const model = String(fields['model']);
  const usage = model.startsWith('gpt-image') ? { usage: imageUsageOf(body, quality) } : {};
  if (costs && usage.usage) billImage(costs, model, usage.usage);
  sendJson(response, 200, { created: 1_760_000_000, data, ...chosenOptions, ...usage });
}

async function sendSpeech(
  upstream: FakeUpstream,
  speaks_outputs: boolean,
  { fields }: FakeOpenAiRequest,
  response: ServerResponse,
): Promise<void> {
  const problem = findSpeechProblem(fields);
  if (problem !== null) return sendError(response, 400, 'invalid_value', problem);
  if (upstream.refuses_content) return sendError(response, 400, 'content_policy_violation', SAFETY);
  const { mime_type, bytes } = speaks_outputs
    ? { mime_type: 'audio/mpeg', bytes: upstream.outputs[0] ?? Buffer.alloc(0) }
    : await speak(fields);
  upstream.createJob(null).state = 'succeeded';
  response.writeHead(200, { 'content-type': mime_type }).end(bytes);
}

function serveVideo(upstream: FakeUpstream, method: string | undefined, path: string, response: ServerResponse): void {
  const [, id = '', part] = /^\/videos\/([\w-]+)(\/content)?$/.exec(path) ?? [];
  const job = upstream.findJob(id);
  if (!job) return sendError(response, 404, 'not_found', `Video ${id} not found.`);
  if (part && method === 'GET') return sendContent(upstream, job, response);
  if (!part && method === 'GET') return sendJson(response, 200, videoResource(upstream, job));
  if (part || method !== 'DELETE') return sendError(response, 405, 'method_not_allowed', 'Not allowed.');
  if (job.state === 'queued' || job.state === 'running') {
    return sendError(response, 400, 'video_in_progress', 'Only a completed or failed video can be deleted.');
  }
  upstream.jobs.splice(upstream.jobs.indexOf(job), 1);
  sendJson(response, 200, { id, object: 'video.deleted', deleted: true });
}

function sendContent(upstream: FakeUpstream, job: FakeUpstreamJob, response: ServerResponse): void {
  const [bytes] = upstream.outputs;
  if (job.state !== 'succeeded' || !bytes) return sendError(response, 404, 'not_found', 'Video content is not there.');
  if (upstream.output_url !== null) return void response.writeHead(302, { location: upstream.output_url }).end();
  response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes);
}

const SAFETY = 'Your request was rejected by the safety system. safety_violations=[violence].';

function videoResource(upstream: FakeUpstream, { id, state }: FakeUpstreamJob) {
  const blocked = upstream.refuses_content && state === 'succeeded';
  const status = blocked ? 'failed' : STATUS[state];
  const error = blocked
    ? { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' }
    : { code: 'server_error', message: 'The video could not be rendered' };
  return {
    id,
    object: 'video',
    model: 'sora-2',
    status,
    progress: state === 'running' ? 42 : 0,
    created_at: 1_760_000_000,
    completed_at: null,
    expires_at: null,
    prompt: 'A cat',
    size: '720x1280',
    seconds: '4',
    remixed_from_video_id: null,
    error: status === 'failed' ? error : null,
  };
}

function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  type = 'invalid_request_error',
) {
  sendJson(response, status, { error: { message, type, param: null, code } });
}

function findProblem({ fields, files, needs_file }: (typeof CALLS)[string], sent: FakeOpenAiRequest): string | null {
  for (const [name, value] of Object.entries(fields ? sent.fields : {})) {
    const isValid = fields?.[name];
    if (!isValid) return `Unknown parameter: '${name}'.`;
    if (!isValid(value)) return `Invalid value for '${name}'.`;
  }
  if (!isText(sent.fields['prompt'])) return "Missing required parameter: 'prompt'.";
  if (needs_file && sent.files.length === 0) return `Missing required parameter: '${files[0]}'.`;
  const unknownFile = sent.files.find(({ field }) => !files.includes(field));
  return unknownFile ? `Unknown parameter: '${unknownFile.field}'.` : null;
}

async function readRequest(path: string, request: IncomingMessage): Promise<FakeOpenAiRequest> {
  const { headers } = request;
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) {
    return { path, headers, fields: JSON.parse(String(await readRequestBody(request))), files: [] };
  }
  const read: FakeOpenAiRequest = { path, headers, fields: {}, files: [] };
  const body = await readRequestBody(request);
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  for (const [name, value] of form) {
    if (typeof value === 'string') read.fields[name] = value;
    else {
      const bytes = Buffer.from(await value.arrayBuffer());
      read.files.push({ field: name, filename: value.name, mime_type: value.type, bytes });
    }
  }
  return read;
}
