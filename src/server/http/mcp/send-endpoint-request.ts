import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/endpoints.ts';
import type { EndpointRequest, EndpointResponse } from './tool.ts';

/**
 * Sends a request to an endpoint of this process with the credential of an MCP message. It passes authentication, rate
 * limit, validation and handler like any other, so a tool can do nothing that its key may not do.
 */
export async function sendEndpointRequest(
  app: FastifyInstance,
  origin: Pick<FastifyRequest, 'ip' | 'headers'>,
  name: EndpointName,
  { params = {}, query = {}, body, idempotency_key }: EndpointRequest,
  signal: AbortSignal,
): Promise<EndpointResponse> {
  const spec: EndpointSpec = endpoints[name];
  const { authorization, 'user-agent': user_agent } = origin.headers;
  const response = await app.inject({
    method: spec.method,
    url: spec.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param] ?? '')),
    query: { ...query },
    remoteAddress: origin.ip,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(user_agent === undefined ? {} : { 'user-agent': user_agent }),
      ...(idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    signal,
  });
  const parsed: unknown = response.payload === '' ? null : JSON.parse(response.payload);
  return { status: response.statusCode, body: parsed, replayed: response.headers['idempotent-replayed'] === 'true' };
}
