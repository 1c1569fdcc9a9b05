import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName, type ResponseOf } from '#contract/api/endpoints.ts';
import { ApiErrorResponse } from '#contract/api/errors.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { authenticateProgram } from '#server/http/authenticate.ts';
import { assertUncompressed } from '#server/http/compressed-body.ts';
import { disconnectSignal } from '#server/http/disconnect-signal.ts';
import { errorHeaders, logError, sendEarly, toApiError } from '#server/http/errors.ts';
import {
  type EndpointRequest,
  type EndpointResponse,
  sendEndpointRequest,
} from '#server/http/send-endpoint-request.ts';
import type { CompatCall, CompatDeps, CompatReply, CompatRow, CompatAdapter } from './compat-adapter.ts';
import { JsonFiles } from './json-files.ts';
import { notOfferedError } from './not-offered-error.ts';
import { readMetadata } from './read-metadata.ts';
import { type ReceivedJson, receiveJson } from './receive-json.ts';

/** Its body is JSON and may be large. */
const ORDER: EndpointSpec = endpoints.create_generation;

/** Serves another API below its prefix, with its own form of errors. */
export async function mountCompatAdapter(
  app: FastifyInstance,
  deps: CompatDeps,
  shared: Pick<CompatCall, 'wait_slots' | 'base64_turns'>,
  adapter: CompatAdapter,
): Promise<void> {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  await app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => sendCompatError(adapter, error, request, reply));
      scope.setNotFoundHandler((request) => {
        throw notOfferedError(adapter, request);
      });
      const context = { ...shared, app, deps, stopping: stopping.signal, adapter };
      for (const row of adapter.rows) addRow(scope, context, row);
      adapter.addRoutes?.(scope, deps);
    },
    { prefix: adapter.prefix },
  );
}

interface Context extends Pick<CompatCall, 'deps' | 'wait_slots' | 'base64_turns' | 'stopping'> {
  app: FastifyInstance;
  adapter: CompatAdapter;
}

const readBearer = ({ readKey }: CompatAdapter, { authorization }: FastifyRequest['headers']): string | undefined => {
  const key = authorization === undefined ? null : readKey(authorization);
  return key === null ? undefined : `Bearer ${key}`;
};

function addRow(scope: FastifyInstance, context: Context, row: CompatRow): void {
  const { deps, adapter } = context;
  scope.route({
    method: row.method,
    url: row.path,
    ...(row.isCompressed === false ? { compress: false } : {}),
    async onRequest(request, reply) {
      const authorization = readBearer(adapter, request.headers);
      request.caller = await authenticateProgram(deps, { permission: row.permission, authorization }, request, reply);
      assertUncompressed(request.raw, ORDER);
    },
    async handler(request, reply) {
      const received = await readJson(context, row, request);
      try {
        return sendCompatReply(request, reply, await row.run(createCall(context, request, reply, received)));
      } finally {
        await received.files.remove();
      }
    },
  });
}

const readJson = async ({ deps }: Context, row: CompatRow, request: FastifyRequest): Promise<ReceivedJson> =>
  readsJson(row, request)
    ? receiveJson(deps, ORDER, request.raw, callerOf(request))
    : { body: undefined, files: new JsonFiles() };

const readsJson = ({ reads }: CompatRow, { headers }: FastifyRequest): boolean =>
  reads === 'json' || (reads === 'json_or_form' && !/^multipart\/form-data\b/i.test(headers['content-type'] ?? ''));

function callerOf({ caller }: FastifyRequest): Caller {
  if (caller) return caller;
  throw new Error('A request without a caller was admitted.');
}

function createCall(
  { app, adapter, ...shared }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, files }: ReceivedJson,
): CompatCall {
  const { headers, ip: address } = request;
  const disconnected = disconnectSignal(reply);
  const sender = {
    app,
    source: adapter.id,
    authorization: readBearer(adapter, headers),
    address,
    user_agent: headers['user-agent'],
  };
  const key = headers['idempotency-key'];
  const sendOnce: CompatCall['sendOnce'] = async <N extends EndpointName>(name: N, parts: EndpointRequest) => {
    const response = await sendEndpointRequest(sender, name, parts);
    if (response.status >= 400) throw toError(response);
    // The endpoint responds with what its schema says.
    return { body: response.body as ResponseOf<N>, replayed: response.replayed };
  };
  return {
    ...shared,
    caller: callerOf(request),
    request,
    params: toTexts(request.params),
    query: toTexts(request.query),
    body,
    files,
    metadata: readMetadata(headers),
    idempotency_key: Array.isArray(key) ? key.join(', ') : key,
    disconnected,
    send: async (name, parts) => (await sendOnce(name, parts)).body,
    sendOnce,
  };
}

/** Of a query, the first value of each parameter. */
const toTexts = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, String(Array.isArray(value) ? value[0] : value)]),
  );

function toError({ body, status, retry_after_seconds }: EndpointResponse): ApiError {
  const { code, message, details, budget, approval } = ApiErrorResponse.parse(body).error as ApiErrorResponse['error'];
  return new ApiError(code, message, {
    status: status as ApiError['status'],
    ...(details && { details }),
    ...(budget && { budget }),
    ...(approval && { approval }),
    ...(retry_after_seconds !== undefined && { retry_after_seconds }),
  });
}

function sendCompatReply(request: FastifyRequest, reply: FastifyReply, { status, body, headers, type }: CompatReply) {
  reply
    .code(status ?? 200)
    .header('cache-control', 'no-store')
    .headers({ ...headers });
  if (type !== undefined) return reply.type(type).send(body);
  if (body === undefined) return reply.send();
  return sendEarly(request, reply.type('application/json; charset=utf-8'), JSON.stringify(body));
}

function sendCompatError(adapter: CompatAdapter, caught: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toApiError(caught, ORDER);
  logError(error, request);
  const { status, body, headers } = adapter.presentError(error, request.id);
  return sendCompatReply(request, reply, {
    status: status ?? error.status,
    body,
    headers: { ...errorHeaders(error), ...headers },
  });
}
