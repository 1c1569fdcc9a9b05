import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import type { ApiErrorResponse } from '#contract/api/errors.ts';
import { isDiskFull } from '#server/platform/db/embedded/is-disk-full.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const LINGER_MS = 2_000;

/**
 * Responds to a request whose body was not read to its end, then closes the connection. Closing it at once would
 * reset it while input is still arriving, and most clients then lose the response: so input is discarded for a while,
 * and the connection stays open until then.
 */
async function drainAndReply(request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> {
  const { raw } = reply;
  const bytes = Buffer.from(body);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.setHeader('content-length', bytes.length);
  raw.setHeader('connection', 'close');
  raw.writeHead(reply.statusCode);
  raw.write(bytes);
  const incoming = request.raw;
  const over = new AbortController();
  const stop = () => over.abort();
  incoming.on('end', stop).on('close', stop).on('error', stop);
  incoming.resume();
  if (!incoming.destroyed) await sleep(LINGER_MS, null, { signal: over.signal }).catch(stop);
  raw.end();
  return reply;
}

const findEndpointSpec = (name: EndpointName | undefined): EndpointSpec | undefined =>
  name === undefined ? undefined : endpoints[name];

/** Returns the error for an unreadable request, with the status and code that its endpoint lists. Decision: Errors */
export function unreadableRequestError(spec: EndpointSpec | undefined, message: string, cause?: unknown): ApiError {
  if (spec?.body === 'multipart') return new ApiError('invalid_media_upload', message, { cause });
  const listed = spec === undefined || spec.errors[400]?.includes('invalid_request');
  return new ApiError('invalid_request', message, { status: listed ? 400 : 422, cause });
}

/** Converts any error to the one that is sent. Details that are not for the caller stay in `cause`. */
export function toApiError(error: unknown, spec: EndpointSpec | undefined): ApiError {
  if (error instanceof ApiError) return error;
  const storageDown = error instanceof StorageError && error.code === 'unavailable';
  if (storageDown && (spec === undefined || spec.errors[503]?.includes('media_storage_unavailable'))) {
    return new ApiError('media_storage_unavailable', 'The media storage is not available right now. Try again later.', {
      cause: error,
      retry_after_seconds: 30,
    });
  }
  if (error instanceof StorageError && error.code === 'not_found') {
    return new ApiError(
      'not_found',
      'The stored file is missing, and nothing was changed. Ask the operator to restore it from a backup.',
      { cause: error },
    );
  }
  if (isDiskFull(error)) {
    return new ApiError(
      'service_unavailable',
      'The service can’t save anything: its disk is full. Try again later, or ask the operator to free space.',
      {
        cause: error,
        retry_after_seconds: 60,
      },
    );
  }
  if (storageDown || isDatabaseUnreachable(error)) {
    return new ApiError('service_unavailable', 'The service is not available right now. Try again in a moment.', {
      cause: error,
      retry_after_seconds: 5,
    });
  }
  if (isFrameworkClientError(error)) return unreadableRequestError(spec, 'The request could not be read.', error);
  return new ApiError(
    'internal_error',
    'Something went wrong on our side. Try again, or contact the operator with the request ID.',
    {
      cause: error,
    },
  );
}

const isFrameworkClientError = (error: unknown): boolean =>
  error instanceof Error &&
  'statusCode' in error &&
  typeof error.statusCode === 'number' &&
  error.statusCode >= 400 &&
  error.statusCode < 500;

export const presentError = (error: ApiError, requestId: string): ApiErrorResponse => ({
  error: {
    code: error.code,
    message: error.message,
    ...(error.code === 'invalid_request' && error.details?.length ? { details: [...error.details] } : {}),
    ...(error.budget ? { budget: error.budget } : {}),
    ...(error.approval ? { approval: error.approval } : {}),
    request_id: requestId,
  },
});

export const errorHeaders = (error: ApiError): Record<string, string> => ({
  'cache-control': 'no-store',
  ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  ...(error.retry_after_seconds === undefined ? {} : { 'retry-after': String(Math.ceil(error.retry_after_seconds)) }),
});

export async function sendError(caught: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const error = toApiError(caught, findEndpointSpec(request.routeOptions.config.endpoint));
  logError(error, request);
  reply.code(error.status).headers(errorHeaders(error)).type('application/json; charset=utf-8');
  return sendEarly(request, reply, JSON.stringify(presentError(error, request.id)));
}

export function logError(error: ApiError, { log, id: request_id }: Pick<FastifyRequest, 'log' | 'id'>): void {
  if (error.status >= 500) log.error({ err: error.cause ?? error, code: error.code, request_id }, 'request failed');
  else if (error.cause !== undefined) log.debug({ err: error.cause, code: error.code, request_id }, 'request refused');
}

/** Sends a response, possibly before the body of the request was read. */
export const sendEarly = async (request: FastifyRequest, reply: FastifyReply, body: string): Promise<FastifyReply> =>
  isBodyRead(request) || !hasBody(request) ? reply.send(body) : drainAndReply(request, reply, body);

const isBodyRead = ({ raw }: FastifyRequest): boolean => raw.complete || raw.readableEnded;

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
