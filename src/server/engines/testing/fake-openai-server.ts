import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { readRequestBody, sendJson, type FakeUpstream, type FakeUpstreamJob } from './fake-upstream-server.ts';

export interface FakeOpenAiRequest {
  path: string;
  headers: IncomingMessage['headers'];
  fields: Record<string, unknown>;
  /** Name of the field → what was sent, in order. */
  files: { field: string; filename: string; mime_type: string; bytes: Buffer }[];
}

const oneOf =
  (...values: string[]) =>
  (value: unknown) =>
    typeof value === 'string' && values.includes(value);
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const IMAGE = {
  prompt: isText,
  model: isText,
  n: (value: unknown) => Number(value) >= 1 && Number(value) <= 10,
  quality: oneOf('standard', 'hd', 'low', 'medium', 'high', 'auto'),
  output_format: oneOf('png', 'jpeg', 'webp'),
  size: (value: unknown) => /^(auto|\d+x\d+)$/.test(String(value)),
  background: oneOf('transparent', 'opaque', 'auto'),
};
const VIDEO = {
  prompt: isText,
  model: isText,
  seconds: oneOf('4', '8', '12'),
  size: oneOf('720x1280', '1280x720', '1024x1792', '1792x1024'),
};
type Schema = Record<string, (value: unknown) => boolean>;
/** What the public OpenAPI description (2.3.0) lets each call send; what it does not know is refused. */
const CALLS: Record<string, { fields: Schema; files: string[]; needs_file: boolean }> = {
  '/images/generations': { fields: IMAGE, files: [], needs_file: false },
  '/images/edits': { fields: IMAGE, files: ['image', 'image[]', 'mask'], needs_file: true },
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

/** OpenAI's Images and Videos API as its OpenAPI description has them; for tests alone. */
export function createFakeOpenAiHandler(studio: FakeUpstream, sent: FakeOpenAiRequest[] = []): RequestListener {
  return (request, response) => {
    serve(studio, sent, request, response).catch(() => response.destroy());
  };
}

async function serve(
  studio: FakeUpstream,
  sent: FakeOpenAiRequest[],
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname: path } = new URL(request.url ?? '', studio.origin);
  if (path.startsWith('/outputs/')) return void response.end(studio.outputs[Number(path.split('/')[2])]);
  const key = request.headers.authorization?.replace('Bearer ', '');
  if (key !== studio.api_key) return sendError(response, 401, 'invalid_api_key', `Incorrect API key provided: ${key}.`);
  if (request.method === 'GET' && path === '/models')
    return sendJson(response, 200, { object: 'list', data: [{ id: 'local-painter', object: 'model' }] });
  const call = request.method === 'POST' ? CALLS[path] : undefined;
  if (!call) return serveVideo(studio, request.method, path, response);
  const body = await readRequest(path, request);
  sent.push(body);
  const problem = findProblem(call, body);
  if (problem) return sendError(response, 400, 'invalid_value', problem);
  if (path.startsWith('/images/')) return sendImages(studio, body, response);
  sendJson(response, 200, videoResource(studio, studio.createJob(null)));
}

function sendImages(studio: FakeUpstream, { fields }: FakeOpenAiRequest, response: ServerResponse): void {
  if (studio.refuses_content)
    return sendError(response, 400, 'moderation_blocked', SAFETY, 'image_generation_user_error');
  studio.createJob(null).state = 'succeeded';
  const by_url = studio.output_url !== null || String(fields['model']).startsWith('dall-e');
  const data = studio.outputs.map((bytes, index) =>
    by_url
      ? { url: studio.output_url ?? `${studio.origin}/outputs/${index}?signature=abc` }
      : { b64_json: bytes.toString('base64') },
  );
  const chosen = { quality: fields['quality'] === 'auto' ? 'medium' : 'high', size: '1024x1024', output_format: 'png' };
  sendJson(response, 200, { created: 1_760_000_000, data, ...chosen });
}

function serveVideo(studio: FakeUpstream, method: string | undefined, path: string, response: ServerResponse): void {
  const [, id = '', part] = /^\/videos\/([\w-]+)(\/content)?$/.exec(path) ?? [];
  const job = studio.findJob(id);
  if (!job) return sendError(response, 404, 'not_found', `Video ${id} not found.`);
  if (part && method === 'GET') return sendContent(studio, job, response);
  if (!part && method === 'GET') return sendJson(response, 200, videoResource(studio, job));
  if (part || method !== 'DELETE') return sendError(response, 405, 'method_not_allowed', 'Not allowed.');
  if (job.state === 'queued' || job.state === 'running') {
    return sendError(response, 400, 'video_in_progress', 'Only a completed or failed video can be deleted.');
  }
  studio.jobs.splice(studio.jobs.indexOf(job), 1);
  sendJson(response, 200, { id, object: 'video.deleted', deleted: true });
}

function sendContent(studio: FakeUpstream, job: FakeUpstreamJob, response: ServerResponse): void {
  const [bytes] = studio.outputs;
  if (job.state !== 'succeeded' || !bytes) return sendError(response, 404, 'not_found', 'Video content is not there.');
  if (studio.output_url !== null) return void response.writeHead(302, { location: studio.output_url }).end();
  response.writeHead(200, { 'content-type': 'video/mp4' }).end(bytes);
}

const SAFETY = 'Your request was rejected by the safety system. safety_violations=[violence].';

function videoResource(studio: FakeUpstream, { id, state }: FakeUpstreamJob) {
  const blocked = studio.refuses_content && state === 'succeeded';
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
  for (const [name, value] of Object.entries(sent.fields)) {
    const fits = fields[name];
    if (!fits) return `Unknown parameter: '${name}'.`;
    if (!fits(value)) return `Invalid value for '${name}'.`;
  }
  if (!isText(sent.fields['prompt'])) return "Missing required parameter: 'prompt'.";
  if (needs_file && sent.files.length === 0) return `Missing required parameter: '${files[0]}'.`;
  const stray = sent.files.find(({ field }) => !files.includes(field));
  return stray ? `Unknown parameter: '${stray.field}'.` : null;
}

async function readRequest(path: string, request: IncomingMessage): Promise<FakeOpenAiRequest> {
  const { headers } = request;
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) {
    return { path, headers, fields: JSON.parse(String(await readRequestBody(request))), files: [] };
  }
  const read: FakeOpenAiRequest = { path, headers, fields: {}, files: [] };
  const form = Busboy({ headers: { ...headers, 'content-type': type } });
  form.on('field', (name, value) => void (read.fields[name] = value));
  form.on('file', (field, stream, filename, _encoding, mime_type) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => read.files.push({ field, filename, mime_type, bytes: Buffer.concat(chunks) }));
  });
  await new Promise((resolve, reject) => request.pipe(form).on('finish', resolve).on('error', reject));
  return read;
}
