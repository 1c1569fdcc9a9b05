import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { FILE_TYPES } from '#contract/api/openapi.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { authenticate } from './authenticate.ts';
import { type BinaryFile, type CsvFile, type Handlers, HandlerReply } from './handler.ts';
import { assertUncompressed } from './compressed-body.ts';
import { hasBody } from './errors.ts';
import { attachment } from './content-disposition.ts';
import { createTurns } from '#server/platform/core/turns.ts';
import { createEntityTag, matchesEntityTag } from './entity-tag.ts';
import { disconnectSignal } from './disconnect-signal.ts';
import type { RateLimit } from './rate-limit.ts';
import { readJsonBody } from './read-json-body.ts';
import { createIdempotentRequest } from '#server/accounts/idempotency/idempotent-request.ts';
import { assertChangeable, assertVisible } from '#server/accounts/people/own-work.ts';
import { createKeyedQueue } from '#server/platform/core/keyed-queue.ts';
import type * as z from 'zod/mini';
import type { ErrorDetail } from '#contract/api/errors.ts';
import { toErrorDetails } from '#contract/api/error-details.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { validateJsonValue } from '#server/platform/core/validate-json-value.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: EndpointName;
  }
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

type MountDeps = Deps & { rate_limit: RateLimit };
type AnyHandler = (request: Record<string, unknown>) => Promise<unknown>;

/** They are in memory several times while they are parsed. Those of others wait in their connections. */
const LARGE_BODIES = { perKey: 2, total: 8 };

/** Whether the body may exceed `MAX_JSON_BYTES`, which only some endpoints accept. */
function mayBeLarge({ maxJsonBytes }: MountDeps['config'], spec: EndpointSpec, request: FastifyRequest): boolean {
  const declared = request.headers['content-length'];
  return (spec.maxJsonBytes ?? 0) > maxJsonBytes && hasBody(request) && !(Number(declared ?? NaN) <= maxJsonBytes);
}

export const isEndpointName = (name: string): name is EndpointName => Object.hasOwn(endpoints, name);

export function mountEndpoints(app: FastifyInstance, deps: MountDeps, handlers: Handlers): void {
  app.decorateRequest('caller', undefined);
  const runInTurn = createKeyedQueue();
  const largeBodies = createTurns(LARGE_BODIES);
  for (const [name, handler] of Object.entries(handlers)) {
    if (!isEndpointName(name)) continue;
    const spec: EndpointSpec = endpoints[name];
    // A handler's type depends on its endpoint's name, which a loop can't express.
    const handle = handler as unknown as AnyHandler;
    app.route({
      method: spec.method,
      url: spec.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { endpoint: name },
      async onRequest(request, reply) {
        request.caller = await authenticate(deps, spec, request, reply);
      },
      async handler(request, reply) {
        const { caller } = request;
        const isLarge = caller !== undefined && mayBeLarge(deps.config, spec, request);
        const endTurn = isLarge ? await largeBodies.take(caller.key_id, disconnectSignal(reply)) : undefined;
        try {
          const read = await readRequest(deps, spec, request, reply);
          const work = () => handle(read);
          // Serializing a page blocks the event loop for tens of milliseconds, so each key gets one page at a time.
          const result = await (caller && isListQuery(read.query) ? runInTurn(caller.key_id, work) : work());
          return sendResult(spec, request, reply, result);
        } finally {
          endTurn?.();
        }
      },
    });
  }
}

const isListQuery = (query: unknown): boolean => typeof query === 'object' && query !== null && 'limit' in query;

/** Validates a request in the order of Decision: Order of checks */
async function readRequest(deps: MountDeps, spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply) {
  const readsJson = spec.method !== 'GET' && typeof spec.body !== 'string';
  if (spec.method !== 'GET') assertUncompressed(request.raw, spec);
  const rawBody = readsJson ? await readJsonBody(request.raw, spec, maxBodyBytes(spec, deps.config)) : undefined;
  const idempotencyKey = decodeIdempotencyKey(spec, request.headers['idempotency-key']);
  const params = decode(spec.params, request.params);
  if (request.caller && params) {
    await assertVisible(deps.db, request.caller, params);
    if (spec.permission === 'work.create') await assertChangeable(deps.db, request.caller, params);
  }
  const query = decodeQuery(spec.query, request.query);
  if (!spec.body && !isEmptyBody(rawBody))
    throw new ApiError('invalid_request', 'This endpoint takes no body.', { status: 422 });
  const body = spec.body && typeof spec.body !== 'string' ? decode(spec.body, rawBody, spec.maxJsonValues) : undefined;
  return {
    caller: request.caller,
    params,
    query,
    body,
    idempotentRequest:
      request.caller &&
      createIdempotentRequest(
        request.caller,
        idempotencyKey,
        spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? ''),
        // An empty body is the same request as none. Spec: Endpoints
        isEmptyBody(rawBody) ? undefined : rawBody,
      ),
    get signal() {
      return disconnectSignal(reply);
    },
    incoming: request.raw,
    headers: request.headers,
    client: { address: request.ip, user_agent: request.headers['user-agent'] ?? null },
  };
}

/** Decision: Request limits */
const MAX_PUBLIC_BODY_BYTES = 262_144;

const maxBodyBytes = (spec: EndpointSpec, { maxJsonBytes }: MountDeps['config']): number =>
  spec.permission === null
    ? Math.min(MAX_PUBLIC_BODY_BYTES, maxJsonBytes)
    : Math.max(maxJsonBytes, spec.maxJsonBytes ?? 0);

function sendResult(spec: EndpointSpec, request: FastifyRequest, reply: FastifyReply, result: unknown): FastifyReply {
  const body: unknown = result instanceof HandlerReply ? result.body : result;
  // Responses to keys must not be cached, since a cache may outlive the key.
  const isPublic = spec.permission === null && spec.method === 'GET';
  reply.code(spec.status).header('cache-control', isPublic ? 'no-cache' : 'no-store');
  if (result instanceof HandlerReply) reply.headers(result.headers);
  if (spec.response === null) return reply.send();
  if (spec.response === 'csv') return sendCsv(reply, body as CsvFile);
  if (typeof spec.response === 'string') return sendBinary(reply, FILE_TYPES[spec.response], body as BinaryFile);
  const text = JSON.stringify(body);
  reply.type('application/json; charset=utf-8');
  if (spec.method !== 'GET') return reply.send(text);
  const tag = createEntityTag(text);
  reply.header('etag', tag);
  return matchesEntityTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(text);
}

/** Makes spreadsheets read the file as UTF-8 instead of the system's encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

async function* withByteOrderMark(lines: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* lines;
}

function sendCsv(reply: FastifyReply, { filename, lines }: CsvFile): FastifyReply {
  reply.type('text/csv; charset=utf-8; header=present');
  return reply
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(Readable.from(withByteOrderMark(lines)));
}

const sendBinary = (reply: FastifyReply, type: string, { filename, content }: BinaryFile): FastifyReply =>
  reply.type(type).header('content-disposition', attachment(filename)).send(content);

const invalidRequestError = (details: readonly ErrorDetail[]): ApiError =>
  new ApiError('invalid_request', details[0]?.message ?? 'The request is not valid.', { status: 422, details });

/** Parses a part of a request. @throws {ApiError} 422 with one detail per problem */
function decode<T>(schema: z.ZodMiniType<T> | undefined, value: unknown, maxValues?: number): T | undefined {
  if (!schema) return undefined;
  const problems = validateJsonValue(value, maxValues);
  if (problems.length > 0) throw invalidRequestError(problems);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidRequestError(toErrorDetails(parsed.error.issues, ''));
}

/**
 * Parses a query string, in which each parameter may occur once. Endpoints without query parameters ignore them.
 * Decision: Queries
 */
function decodeQuery(schema: z.ZodMiniType | undefined, query: unknown): unknown {
  if (!schema) return undefined;
  const entries = Object.entries(query ?? {});
  const values = Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
  const parsed = schema.safeParse(values, { reportInput: true });
  if (!parsed.success) throw invalidRequestError(toErrorDetails(parsed.error.issues, ''));
  const problems = validateJsonValue(parsed.data);
  if (problems.length > 0) throw invalidRequestError(problems);
  const repeated = entries.filter(([, value]) => Array.isArray(value));
  if (repeated.length > 0)
    throw invalidRequestError(repeated.map(([path]) => ({ path, message: 'Send this parameter once.' })));
  return parsed.data;
}

const IDEMPOTENCY_KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** Reads the Idempotency-Key of a request if its endpoint accepts one. Decision: Idempotency */
function decodeIdempotencyKey(spec: EndpointSpec, header: string | string[] | undefined): string | undefined {
  if (!spec.idempotency) return undefined;
  const key = Array.isArray(header) ? header.join(', ') : header;
  if (spec.idempotency === 'required' && !key) {
    throw new ApiError('idempotency_key_required', 'Send an Idempotency-Key header.');
  }
  if (key === undefined || IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError('invalid_request', 'An Idempotency-Key has 1 to 255 printable ASCII characters.', { status: 400 });
}

const isEmptyBody = (body: unknown): boolean =>
  body === undefined ||
  (typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0);
