import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readRequestBody, sendJson, type FakeUpstream, type FakeUpstreamJob } from './fake-upstream-server.ts';

export interface FakeFalRecord {
  submits: { path: string; headers: IncomingMessage['headers']; input: Record<string, unknown> }[];
  uploads: {
    content_type: string;
    file_name: string;
    headers: IncomingMessage['headers'];
    bytes: Buffer;
    whole: boolean;
  }[];
  /** Extra properties of the result. */
  extra: Record<string, unknown>;
}

export const createFakeFalRecord = (): FakeFalRecord => ({ submits: [], uploads: [], extra: {} });

const APP = '/fal-ai/flux';
const START = /^\/storage\/upload\/initiate(-multipart)?$/;

export function createFakeFalHandler(
  upstream: FakeUpstream,
  record: FakeFalRecord = createFakeFalRecord(),
): RequestListener {
  return (request, response) => {
    serve(upstream, record, request, response).catch(() => response.destroy());
  };
}

async function serve(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname: path, searchParams } = new URL(request.url ?? '', upstream.origin);
  const body = await readRequestBody(request);
  if (path.startsWith('/files/')) return void response.end(upstream.outputs[Number(path.split('/')[2])]);
  if (path.startsWith('/put/')) return putFile(record, request, response, body);
  const key = /^Key (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (key !== upstream.api_key) return sendJson(response, 401, { detail: `Cannot access application with key ${key}` });
  if (START.test(path) && searchParams.get('storage_type') === 'fal-cdn-v3') {
    const { content_type, file_name } = JSON.parse(String(body));
    const bytes = Buffer.alloc(0);
    record.uploads.push({ content_type, file_name, headers: request.headers, bytes, whole: false });
    const at = record.uploads.length - 1;
    const file_url = `${upstream.origin}/files/in-${at}`;
    return sendJson(response, 200, { file_url, upload_url: `${upstream.origin}/put/${at}?signature=abc` });
  }
  const [, id = '', part = ''] = /^\/fal-ai\/flux\/requests\/([\w-]+)(\/status|\/cancel)?$/.exec(path) ?? [];
  if (id) return serveRequest(upstream, record, { id, part, method: request.method }, response);
  if (request.method !== 'POST' || !path.startsWith(`${APP}/`)) return sendJson(response, 404, { detail: 'Not Found' });
  const input = JSON.parse(String(body));
  record.submits.push({ path, headers: request.headers, input });
  const job = upstream.createJob(null);
  sendJson(response, 200, { status: 'IN_QUEUE', queue_position: 0, ...requestUrls(upstream, job) });
}

/** Receives the whole file, or numbered parts followed by `complete`. */
function putFile(record: FakeFalRecord, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const [, , at = '', part] = new URL(request.url ?? '', 'http://x').pathname.split('/');
  const upload = record.uploads[Number(at)];
  if (!upload || request.headers.authorization !== undefined || !request.url?.endsWith('?signature=abc')) {
    return void response.writeHead(403).end();
  }
  if (part === 'complete' && request.method === 'POST') {
    const { parts } = JSON.parse(String(body));
    const sizes = parts.map(({ etag }: { etag: string }) => Number(etag.split('-')[1]));
    upload.whole = sizes.reduce((sum: number, size: number) => sum + size, 0) === upload.bytes.length;
    return sendJson(response, upload.whole ? 200 : 400, {});
  }
  const has_type = request.headers['content-type'] === upload.content_type;
  if (request.method !== 'PUT' || (part === undefined && !has_type)) return void response.writeHead(403).end();
  upload.bytes = Buffer.concat([upload.bytes, body]);
  upload.whole = part === undefined;
  sendJson(response, 200, part === undefined ? {} : { partNumber: Number(part), etag: `part-${body.length}` });
}

const requestUrls = (upstream: FakeUpstream, { id }: FakeUpstreamJob) => ({
  request_id: id,
  response_url: `${upstream.origin}${APP}/requests/${id}`,
  status_url: `${upstream.origin}${APP}/requests/${id}/status`,
  cancel_url: `${upstream.origin}${APP}/requests/${id}/cancel`,
});

interface QueueRequest {
  id: string;
  part: string;
  method: string | undefined;
}

function serveRequest(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  { id, part, method }: QueueRequest,
  response: ServerResponse,
): void {
  const job = upstream.findJob(id);
  if (!job)
    return sendJson(response, 404, part === '/cancel' ? { status: 'NOT_FOUND' } : { detail: 'Request not found' });
  const is_active = job.state === 'queued' || job.state === 'running';
  if (part === '/cancel' && method === 'PUT') {
    if (!is_active) return sendJson(response, 400, { status: 'ALREADY_COMPLETED' });
    job.state = 'canceled';
    return sendJson(response, 202, { status: 'CANCELLATION_REQUESTED' });
  }
  if (method !== 'GET') return sendJson(response, 405, { detail: 'Method Not Allowed' });
  if (part === '/status') return sendStatus(upstream, job, response);
  if (is_active) return sendJson(response, 400, { detail: 'Request is still in progress' });
  sendResult(upstream, record, job, response);
}

function sendStatus(upstream: FakeUpstream, job: FakeUpstreamJob, response: ServerResponse): void {
  const urls = requestUrls(upstream, job);
  if (job.state === 'queued') return sendJson(response, 202, { status: 'IN_QUEUE', queue_position: 1, ...urls });
  if (job.state === 'running') return sendJson(response, 202, { status: 'IN_PROGRESS', logs: null, ...urls });
  const failure = { error: 'Runner disconnected', error_type: 'runner_disconnected' };
  const more = job.state === 'failed' ? failure : {};
  sendJson(response, 200, { status: 'COMPLETED', logs: null, metrics: { inference_time: 1.5 }, ...urls, ...more });
}

function sendResult(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  job: FakeUpstreamJob,
  response: ServerResponse,
): void {
  const failed = (status: number, detail: string, error_type: string): void =>
    sendJson(response, status, { detail, error_type }, { 'x-fal-error-type': error_type });
  if (job.state === 'failed') return failed(503, 'Runner disconnected', 'runner_disconnected');
  if (job.state === 'canceled') return failed(499, 'Request was cancelled', 'client_cancelled');
  if (upstream.refuses_content) {
    const msg = 'The content could not be processed because it was flagged by a content checker.';
    const detail = [
      { loc: ['body', 'prompt'], msg, type: 'content_policy_violation', url: 'https://docs.fal.ai/errors' },
    ];
    return sendJson(response, 422, { detail }, { 'x-fal-retryable': 'false' });
  }
  const images = upstream.outputs.map((_bytes, index) => ({
    url: upstream.output_url ?? `${upstream.origin}/files/${index}`,
    width: 1024,
    height: 768,
    content_type: 'image/png',
  }));
  sendJson(response, 200, { images, seed: 1, ...record.extra });
}
