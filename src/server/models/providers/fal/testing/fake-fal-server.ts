import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendBill } from './fake-fal-bills.ts';
import { rejectInput, sendModels, sendPage } from './fake-fal-catalog.ts';
import { createFakeFalRecord, type FakeFalRecord, findModel } from './fake-fal-record.ts';
import { requestUrls, serveRequest } from './fake-fal-results.ts';
import { FAKE_FAL_INPUTS } from './fake-fal-schemas.ts';
import { readRequestBody, sendJson, type FakeUpstream } from '#server/models/engine/testing/fake-upstream-server.ts';

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
  if (id) return await serveRequest(upstream, record, { id, part, method: request.method, searchParams }, response);
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
