import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createFakeBilling, type FakeBilling as FakeFalBills, sendBill } from './fake-fal-bills.ts';
import { billUnits, type FakeBilling, rejectInput, sendModels, sendPage } from './fake-fal-catalog.ts';
import { FAKE_FAL_MODELS, type FakeFalModel, type FakeFalModels } from './fake-fal-models.ts';
import { FAKE_FAL_INPUTS } from './fake-fal-schemas.ts';
import {
  readRequestBody,
  sendJson,
  type FakeUpstream,
  type FakeUpstreamJob,
} from '#server/models/engine/testing/fake-upstream-server.ts';

export interface FakeFalRecord {
  /** The models that can be added. A test that replaces them changes models at the provider. */
  models: FakeFalModels;
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
  /** Sent with each result; null: none. */
  billable_units: string | null;
  /** Where `billable_units` is null, of the models that can be added. */
  billing: FakeBilling;
  /** What the account owes for what was ordered. */
  bills: FakeFalBills;
  /** Price of a unit of every endpoint of the preset. */
  unit_price: number;
  /** Lines of a running job. */
  logs: string[];
  /** Why the account is locked; null: it is not. */
  locked: string | null;
  /** Endpoints by job. */
  endpoints: Map<string, string>;
  /** When they were ordered. */
  ordered: Map<string, Date>;
  /** How often results were read, by job. */
  reads: Map<string, number>;
}

export const createFakeFalRecord = (): FakeFalRecord => ({
  models: FAKE_FAL_MODELS,
  submits: [],
  uploads: [],
  extra: {},
  billable_units: null,
  billing: 'as_listed',
  bills: createFakeBilling(),
  unit_price: 0.5,
  logs: [],
  locked: null,
  endpoints: new Map(),
  ordered: new Map(),
  reads: new Map(),
});

const findModel = ({ models }: FakeFalRecord, endpoint: string): FakeFalModel | undefined =>
  Object.hasOwn(models, endpoint) ? models[endpoint] : undefined;

/** Takes any input below it. */
const FREE_APP = 'fal-ai/flux/';
const START = /^\/storage\/upload\/initiate(-multipart)?$/;

/** Paths may have the prefixes `/queue`, `/rest`, `/api` and `/pages` of a connection with an address. */
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
  const { pathname, searchParams } = new URL(request.url ?? '', upstream.origin);
  const path = pathname.replace(/^\/(queue|rest|api)\//, '/');
  const body = await readRequestBody(request);
  if (path.startsWith('/pages/')) return sendPage(record.models, path.slice('/pages'.length), request, response);
  if (path.startsWith('/files/')) return void response.end(upstream.outputs[Number(path.split('/')[2])]);
  if (path.startsWith('/put/')) return putFile(record, request, response, body);
  const key = /^Key (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (/\/(billing-events|focus)$/.test(path)) return sendBill(upstream, record, { path, key, searchParams }, response);
  if (key !== upstream.api_key && /^\/models(\/|$)/.test(path))
    return sendJson(response, 401, { error: { type: 'authorization_error', message: `Key ${key} is not valid` } });
  if (key !== upstream.api_key) return sendJson(response, 401, { detail: `Cannot access application with key ${key}` });
  if (path === '/models/requests/by-endpoint') return sendRequests(upstream, record, searchParams, response);
  if (path === '/models') return sendModels(record.models, searchParams, response);
  if (path === '/models/pricing') return sendPrices(record, searchParams, response);
  if (record.locked !== null && request.method === 'POST')
    return sendJson(response, 403, { detail: `User is locked. Reason: ${record.locked}` });
  if (START.test(path) && searchParams.get('storage_type') === 'fal-cdn-v3') {
    const { content_type, file_name } = JSON.parse(String(body));
    const bytes = Buffer.alloc(0);
    record.uploads.push({ content_type, file_name, headers: request.headers, bytes, whole: false });
    const at = record.uploads.length - 1;
    const file_url = `${upstream.origin}/files/in-${at}`;
    return sendJson(response, 200, { file_url, upload_url: `${upstream.origin}/put/${at}?signature=abc` });
  }
  const [, id = '', part = ''] = /^\/[\w.-]+\/[\w.-]+\/requests\/([\w-]+)(\/status|\/cancel)?$/.exec(path) ?? [];
  if (id) return serveRequest(upstream, record, { id, part, method: request.method, searchParams }, response);
  submit(upstream, record, { path, headers: request.headers, body, method: request.method }, response);
}

/** Creates a job if the endpoint exists and takes the input. */
function submit(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  { path, headers, body, method }: Pick<IncomingMessage, 'headers' | 'method'> & { path: string; body: Buffer },
  response: ServerResponse,
): void {
  const endpoint = path.slice(1);
  const schema = FAKE_FAL_INPUTS[endpoint];
  const model = findModel(record, endpoint);
  if (method !== 'POST' || (!schema && !model && !endpoint.startsWith(FREE_APP)))
    return sendJson(response, 404, { detail: `Path /${endpoint} not found` });
  const input = JSON.parse(String(body));
  const { error } = schema?.safeParse(input) ?? {};
  if (error) {
    const detail = error.issues.map(({ message, path: at, code }) => ({
      loc: ['body', ...at],
      msg: `${message} (${endpoint} ${JSON.stringify(input).slice(0, 200)})`,
      type: code,
    }));
    return sendJson(response, 422, { detail });
  }
  const rejection = model && rejectInput(model, input);
  if (rejection) return sendJson(response, 422, rejection);
  record.submits.push({ path, headers, input });
  const job = upstream.createJob(null);
  record.endpoints.set(job.id, endpoint);
  record.ordered.set(job.id, record.bills.now());
  sendJson(response, 200, { status: 'IN_QUEUE', queue_position: 0, ...requestUrls(upstream, record, job) });
}

/** Lists requests that have started, with their inputs. */
function sendRequests(
  { jobs }: FakeUpstream,
  { endpoints, submits }: FakeFalRecord,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const asked = query.get('endpoint_id')?.split(',') ?? [];
  const times = { sent_at: '2026-11-22T10:00:00Z', started_at: '2026-11-22T10:00:01Z' };
  const items = jobs.flatMap(({ id, state }, index) => {
    const endpoint_id = endpoints.get(id) ?? '';
    if (state === 'queued' || !asked.includes(endpoint_id)) return [];
    const payloads = query.get('expand') === 'payloads' ? { json_input: submits[index]?.input } : {};
    return [{ request_id: id, endpoint_id, ...times, ...payloads }];
  });
  sendJson(response, 200, { items, next_cursor: null, has_more: false });
}

function sendPrices(record: FakeFalRecord, query: URLSearchParams, response: ServerResponse): void {
  const endpoints = query.getAll('endpoint_id').flatMap((list) => list.split(','));
  const unknown = endpoints.find((endpoint) => !FAKE_FAL_INPUTS[endpoint] && !findModel(record, endpoint)?.price);
  if (unknown !== undefined || endpoints.length === 0) {
    const error = { type: 'not_found', message: `Endpoint ${unknown} not found`, docs_url: '', request_id: 'r' };
    return sendJson(response, 404, { error });
  }
  const prices = endpoints.map((endpoint_id) => ({
    endpoint_id,
    ...(findModel(record, endpoint_id)?.price ?? { unit_price: record.unit_price, unit: 'units' }),
    currency: 'USD',
  }));
  sendJson(response, 200, { prices, next_cursor: null, has_more: false });
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
  const hasType = request.headers['content-type'] === upload.content_type;
  if (request.method !== 'PUT' || (part === undefined && !hasType)) return void response.writeHead(403).end();
  upload.bytes = Buffer.concat([upload.bytes, body]);
  upload.whole = part === undefined;
  sendJson(response, 200, part === undefined ? {} : { partNumber: Number(part), etag: `part-${body.length}` });
}

function requestUrls(upstream: FakeUpstream, { endpoints }: FakeFalRecord, { id }: FakeUpstreamJob) {
  const app = endpoints.get(id)?.split('/').slice(0, 2).join('/');
  const url = `${upstream.origin}/queue/${app}/requests/${id}`;
  return { request_id: id, response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
}

interface QueueRequest {
  id: string;
  part: string;
  method: string | undefined;
  searchParams: URLSearchParams;
}

function serveRequest(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  { id, part, method, searchParams }: QueueRequest,
  response: ServerResponse,
): void {
  const job = upstream.findJob(id);
  if (!job)
    return sendJson(response, 404, part === '/cancel' ? { status: 'NOT_FOUND' } : { detail: 'Request not found' });
  const isActive = job.state === 'queued' || job.state === 'running';
  if (part === '/cancel' && method === 'PUT') {
    if (!isActive) return sendJson(response, 400, { status: 'ALREADY_COMPLETED' });
    job.state = 'canceled';
    return sendJson(response, 202, { status: 'CANCELLATION_REQUESTED' });
  }
  if (method !== 'GET') return sendJson(response, 405, { detail: 'Method Not Allowed' });
  if (part === '/status') return sendStatus(upstream, record, job, searchParams.get('logs') === '1', response);
  if (isActive) return sendJson(response, 400, { detail: 'Request is still in progress' });
  sendResult(upstream, record, job, response);
}

function sendStatus(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  job: FakeUpstreamJob,
  withLogs: boolean,
  response: ServerResponse,
): void {
  const urls = requestUrls(upstream, record, job);
  if (job.state === 'queued') return sendJson(response, 202, { status: 'IN_QUEUE', queue_position: 1, ...urls });
  const timestamp = '2026-11-22T10:00:00Z';
  const lines = record.logs.map((message) => ({ message, level: 'INFO', source: 'USER', timestamp }));
  const logs = withLogs ? lines : null;
  if (job.state === 'running') return sendJson(response, 202, { status: 'IN_PROGRESS', logs, ...urls });
  const failure = { error: 'Runner disconnected', error_type: 'runner_disconnected' };
  const more = job.state === 'failed' ? failure : {};
  sendJson(response, 200, { status: 'COMPLETED', logs, metrics: { inference_time: 1.5 }, ...urls, ...more });
}

function sendResult(
  upstream: FakeUpstream,
  record: FakeFalRecord,
  job: FakeUpstreamJob,
  response: ServerResponse,
): void {
  const { extra } = record;
  const model = findModel(record, record.endpoints.get(job.id) ?? '');
  const timesRead = record.reads.get(job.id) ?? 0;
  record.reads.set(job.id, timesRead + 1);
  const input = record.submits[upstream.jobs.indexOf(job)]?.input ?? {};
  const billable_units = record.billable_units ?? (model ? billUnits(model, input, record.billing, timesRead) : null);
  const headers: Record<string, string> = billable_units === null ? {} : { 'x-fal-billable-units': billable_units };
  const failed = (status: number, detail: string, error_type: string): void =>
    sendJson(response, status, { detail, error_type }, { 'x-fal-error-type': error_type, ...headers });
  if (job.state === 'failed') return failed(503, 'Runner disconnected', 'runner_disconnected');
  if (job.state === 'canceled') return failed(499, 'Request was cancelled', 'client_cancelled');
  if (upstream.refuses_content) {
    const msg = 'The content could not be processed because it was flagged by a content checker.';
    const detail = [
      { loc: ['body', 'prompt'], msg, type: 'content_policy_violation', url: 'https://docs.fal.ai/errors' },
    ];
    return sendJson(response, 422, { detail }, { 'x-fal-retryable': 'false', ...headers });
  }
  const files = upstream.outputs.map((_bytes, index) => ({
    url: upstream.output_url ?? `${upstream.origin}/files/${index}`,
    content_type: 'application/octet-stream',
  }));
  const isVideo = /-to-video$|lipsync/.test(record.endpoints.get(job.id) ?? '');
  const result = model ? model.result(files) : isVideo ? { video: files[0] } : { images: files, seed: 1 };
  sendJson(response, 200, { ...result, ...extra }, headers);
}
