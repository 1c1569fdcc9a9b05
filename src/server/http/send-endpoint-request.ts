import type { FastifyInstance, InjectOptions } from 'fastify';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/api/endpoints.ts';
import { type IdempotencySource, withIdempotencySource } from '#server/accounts/idempotency/idempotency-source.ts';
import { handOver } from './handed-body.ts';

export interface EndpointRequest {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  idempotency_key?: string | undefined;
}

/** Response of an endpoint: the body of a success, or the error envelope. */
export interface EndpointResponse {
  status: number;
  body: unknown;
  replayed: boolean;
  retry_after_seconds: number | undefined;
}

/** Whom a request is sent for. */
export interface Sender {
  app: FastifyInstance;
  /** The compat adapter that chooses the idempotency keys. */
  source: IdempotencySource;
  /** `Bearer …` */
  authorization: string | undefined;
  address: string;
  user_agent: string | undefined;
  /** Without it, the request is answered even if nobody waits. */
  signal?: AbortSignal;
}

/**
 * Sends a request to an endpoint of this process with the credential of another request. It passes authentication, rate
 * limit, validation and handler like any other, so that nothing is done that its key may not do. Its body is handed over
 * as a value.
 */
export async function sendEndpointRequest(
  { app, source, authorization, address, user_agent, signal }: Sender,
  name: EndpointName,
  { params = {}, query = {}, body, idempotency_key }: EndpointRequest,
): Promise<EndpointResponse> {
  const spec: EndpointSpec = endpoints[name];
  const request: InjectOptions = {
    method: spec.method,
    url: spec.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? '')),
    query: { ...query },
    remoteAddress: address,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(user_agent === undefined ? {} : { 'user-agent': user_agent }),
      ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
    },
    ...(signal && { signal }),
  };
  const inject = () => withIdempotencySource(source, async () => app.inject(request));
  const response = await (body === undefined ? inject() : handOver(body, inject));
  const { headers, payload } = response;
  const retryAfter = headers['retry-after'];
  return {
    status: response.statusCode,
    body: payload === '' ? null : JSON.parse(payload),
    replayed: headers['idempotent-replayed'] === 'true',
    retry_after_seconds: retryAfter === undefined ? undefined : Number(retryAfter),
  };
}
