import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import { disconnectSignal } from '#server/http/disconnect-signal.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { MCP_HEADERS, MCP_PATH } from './mcp-headers.ts';
import type { McpCall, EndpointRequest, EndpointResponse } from './tool.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { endpoints, type EndpointName } from '#contract/endpoints.ts';

type MessageContext = Pick<McpCall, 'app' | 'deps' | 'caller' | 'wait_slots'> & { stopping: AbortSignal };

/** Answers one message with a server of its own. */
export function handleMessage(
  { stopping, ...context }: MessageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  message: unknown,
): Promise<Response> {
  const disconnected = disconnectSignal(reply);
  const call: McpCall = {
    ...context,
    signal: AbortSignal.any([disconnected, stopping]),
    send: (name, parts) => sendEndpointRequest(context.app, request, name, parts, disconnected),
  };
  const handler = createMcpHandler(() => createMcpServer(call), {
    // There are no lists that change while a stream is open.
    maxSubscriptions: 0,
    onerror: (error) => request.log.debug({ err: error }, 'MCP message refused'),
  });
  reply.raw.once('close', () => void handler.close());
  const url = new URL(MCP_PATH, context.deps.config.publicUrl);
  const init = { method: 'POST', headers: pickHeaders(request), signal: disconnected };
  return handler.fetch(new Request(url, init), { parsedBody: message });
}

const PROTOCOL_HEADERS = ['accept', 'content-type', ...MCP_HEADERS];

/** Leaves the credential out: tools act through `McpCall`, never with headers. */
const pickHeaders = ({ headers }: FastifyRequest): [string, string][] =>
  PROTOCOL_HEADERS.flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });

/**
 * Sends a request to an endpoint of this process with the credential of an MCP message. It passes authentication, rate
 * limit, validation and handler like any other, so a tool can do nothing that its key may not do.
 */
async function sendEndpointRequest(
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
