import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import type { CompatCall, CompatReply } from '#server/http/compat/compat-adapter.ts';
import {
  acquireWaitSlot,
  assertSucceeded,
  failureOf,
  hasResult,
  OrderError,
  orderHeaders,
  readOrder,
  waitForOrders,
} from '#server/http/compat/place-orders.ts';
import { notOfferedError } from '#server/http/compat/not-offered-error.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { registerCallback } from '#server/studio/webhooks/order-callbacks.ts';
import { CANCELED, errorTypeOf, requestIdOf } from './fal-compat-errors.ts';
import { presentOutput } from './fal-output.ts';
import { placeRequest } from './place-request.ts';
import { FAL_PREFIX, REQUEST_ID_HEADER } from './proxy-target.ts';

/** Its compat adapter imports this file. */
const FAL_API = { name: 'fal', prefix: FAL_PREFIX };
const RUN_SECONDS = 600;
const STREAM_SECONDS = 600;
const STREAM_PAUSE_MS = 500;

/** `fal-ai/flux/dev` → `fal-ai/flux`: requests hang on the app of an endpoint. */
function appOf(endpoint: string): string {
  const parts = endpoint.split('/');
  return parts.slice(0, ['workflows', 'comfy'].includes(parts[0] ?? '') ? 3 : 2).join('/');
}

const headersOf = (orders: readonly Generation[]) => ({
  ...orderHeaders(orders),
  [REQUEST_ID_HEADER]: requestIdOf(orders),
});

export async function submitRequest(call: CompatCall): Promise<CompatReply> {
  const endpoint = call.params['*'] ?? '';
  const { orders, webhook } = await placeRequest(call, endpoint);
  if (webhook !== null) await registerWebhook(call, orders, webhook);
  const status = presentStatus(orders, requestUrl(call, endpoint, orders), true);
  return { body: status, headers: headersOf(orders) };
}

/** @throws {OrderError}, which no client repeats */
async function registerWebhook({ deps, caller }: CompatCall, orders: readonly Generation[], url: string) {
  const { organization_id } = caller;
  try {
    for (const { id: generation_id } of orders)
      await registerCallback(deps, { organization_id, generation_id, format: 'fal', url, events: ['completed'] });
  } catch (cause) {
    const message = 'The order is placed, but its webhook could not be registered. Read its result from the queue.';
    throw new OrderError(orders, message, null, { cause });
  }
}

const requestUrl = ({ deps }: Pick<CompatCall, 'deps'>, endpoint: string, orders: readonly Generation[]): string =>
  `${deps.config.publicUrl}${FAL_PREFIX}/queue/${appOf(endpoint)}/requests/${requestIdOf(orders)}`;

/** Waits for the result. An error after the order is none that a client repeats. */
export async function runRequest(call: CompatCall): Promise<CompatReply> {
  const endpoint = call.params['*'] ?? '';
  // Clients with a base URL write the endpoint right below it, where other paths of fal are, too.
  if (!endpoint.includes('/') || /^(?:storage|tokens|proxy)\//.test(endpoint))
    throw notOfferedError(FAL_API, call.request);
  if (call.query['fal_webhook'] !== undefined)
    refuseParameter('fal_webhook', 'Only requests to the queue have a webhook.');
  const { orders } = await placeRequest(call, endpoint);
  const done = await waitForOrders(call, orders, { seconds: RUN_SECONDS }).catch((error: unknown) => {
    throw new OrderError(
      orders,
      error instanceof ApiError ? error.message : 'The order is placed. Read its result later.',
    );
  });
  if (done.some(isOpen)) throw new OrderError(orders, openMessage(orders));
  return presentResult(call, done);
}

/** `<endpoint or app>/requests/<id>` with `/status`, `/status/stream` or nothing behind it. */
export async function readRequest(call: CompatCall): Promise<CompatReply> {
  const { app, id, action } = parsePath(call.params['*']);
  if (action === 'status/stream') return streamStatus(call, app, id);
  if (action !== '' && action !== 'status') throw notFoundError();
  const orders = await readOrders(call, id);
  if (action === '') return presentResult(call, orders);
  const status = presentStatus(orders, requestUrl(call, app, orders), withLogs(call));
  return { status: status.status === 'COMPLETED' ? 200 : 202, body: status, headers: headersOf(orders) };
}

export async function cancelRequest(call: CompatCall): Promise<CompatReply> {
  const { id, action } = parsePath(call.params['*']);
  if (action !== 'cancel') throw notFoundError();
  const orders = await readOrders(call, id);
  const open = orders.filter(({ status }) => isActive(status));
  const canceled = await Promise.all(
    open.map((order) => call.send('cancel_generation', { params: { generation_id: order.id } })),
  );
  const isLate = !canceled.some(({ status }) => status === 'canceled');
  const body = { status: isLate ? 'ALREADY_COMPLETED' : 'CANCELLATION_REQUESTED' };
  return { status: isLate ? 400 : 202, body, headers: headersOf(orders) };
}

const withLogs = ({ query }: CompatCall): boolean => query['logs'] === '1' || query['logs'] === 'true';

const notFoundError = () => new ApiError('not_found', 'There is no such request here.');

function parsePath(path = ''): { app: string; id: string; action: string } {
  const separator = '/requests/';
  const at = path.lastIndexOf(separator);
  const [id = '', ...action] = path.slice(at + separator.length).split('/');
  if (at <= 0 || id === '') throw notFoundError();
  return { app: path.slice(0, at), id, action: action.join('/') };
}

async function readOrders(call: CompatCall, id: string): Promise<Generation[]> {
  if (/^gen_\w{26}$/.test(id)) return [await readOrder(call, id)];
  if (!/^bat_\w{26}$/.test(id)) throw notFoundError();
  const { data, has_more } = await call.send('list_generations', { query: { batch_id: id, limit: '16' } });
  if (data.length === 0 || has_more) throw notFoundError();
  return data.toSorted((a, b) => a.id.localeCompare(b.id));
}

/** Whoever reviews a result decides whether there is one. */
const isOpen = ({ status }: Generation): boolean => isActive(status) || status === 'manual_review';

function presentResult({ deps }: CompatCall, orders: readonly Generation[]): CompatReply {
  if (orders.some(isOpen)) {
    return { status: 400, body: { message: openMessage(orders), detail: IN_PROGRESS }, headers: headersOf(orders) };
  }
  // What was made and paid is the result, also without the rest.
  const succeeded = orders.filter(hasResult);
  if (succeeded.length === 0) assertSucceeded(orders);
  return { body: presentOutput(deps.offering.current(), succeeded), headers: headersOf(orders) };
}

/** Clients wait on while it is this very text. */
const IN_PROGRESS = 'Request is still in progress';

const openMessage = (orders: readonly Generation[]): string =>
  `${IN_PROGRESS}. Its result will be in the queue as ${requestIdOf(orders)}.`;

/** @param url of the request */
function presentStatus(orders: readonly Generation[], url: string, logs: boolean) {
  const links = { response_url: url, status_url: `${url}/status`, cancel_url: `${url}/cancel` };
  const request = { request_id: requestIdOf(orders), ...links };
  const lines = logs ? orders.flatMap(presentLogs) : null;
  const position = queuePosition(orders);
  if (position !== null) return { status: 'IN_QUEUE', ...request, queue_position: position, logs: lines };
  if (orders.some(isOpen)) return { status: 'IN_PROGRESS', ...request, logs: lines };
  const failure = orders.some(hasResult) ? null : (orders.map(failureOf).find((error) => error !== null) ?? CANCELED);
  return {
    status: 'COMPLETED',
    ...request,
    logs: lines,
    metrics: { inference_time: Math.max(...orders.map(runSeconds)) },
    ...(failure && { error: failure.message, error_type: errorTypeOf(failure) }),
  };
}

/** null: it has started, as far as known. */
function queuePosition(orders: readonly Generation[]): number | null {
  const positions = orders
    .filter(isOpen)
    .map(({ status, provider_status }) => (status === 'queued' ? 0 : (provider_status?.queue_position ?? null)));
  const waiting = positions.filter((position) => position !== null);
  return waiting.length > 0 && waiting.length === orders.length ? Math.max(...waiting) : null;
}

const runSeconds = ({ started_at, completed_at }: Generation): number =>
  started_at === null || completed_at === null ? 0 : (Date.parse(completed_at) - Date.parse(started_at)) / 1_000;

function presentLogs({ status, provider_status, updated_at }: Generation) {
  const message =
    status === 'manual_review' ? 'The result waits for a review by the operator.' : (provider_status?.stage ?? null);
  return message === null ? [] : [{ message, level: 'INFO', source: 'USER', timestamp: updated_at }];
}

/** Server-sent events: the status whenever it changes, until it is complete. */
async function streamStatus(call: CompatCall, app: string, id: string): Promise<CompatReply> {
  const release = acquireWaitSlot(call);
  try {
    const first = await readOrders(call, id);
    const events = Readable.from(followStatus(call, app, id, first));
    events.once('close', release);
    return { body: events, type: 'text/event-stream', headers: headersOf(first) };
  } catch (error) {
    release();
    throw error;
  }
}

async function* followStatus(call: CompatCall, app: string, id: string, first: readonly Generation[]) {
  const signal = AbortSignal.any([call.disconnected, call.stopping, AbortSignal.timeout(STREAM_SECONDS * 1_000)]);
  let sent = '';
  for (let orders = first; ; orders = await readOrders(call, id)) {
    const status = presentStatus(orders, requestUrl(call, app, orders), withLogs(call));
    const event = `data: ${JSON.stringify(status)}\n\n`;
    if (event !== sent) yield event;
    sent = event;
    if (status.status === 'COMPLETED' || signal.aborted) return;
    await sleep(STREAM_PAUSE_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}
