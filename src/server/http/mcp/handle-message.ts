import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { disconnectSignal } from '#server/http/disconnect-signal.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { MCP_HEADERS, MCP_PATH } from './mcp-headers.ts';
import type { Turns } from '#server/platform/core/turns.ts';
import { type Sender, sendEndpointRequest } from '#server/http/send-endpoint-request.ts';
import type { McpCall } from './mcp-tool.ts';

export interface MessageContext extends Pick<McpCall, 'app' | 'deps' | 'caller' | 'wait_slots'> {
  base64_turns: Turns;
  stopping: AbortSignal;
}

/** Answers one message with a server of its own. */
export function handleMessage(
  { stopping, base64_turns, ...context }: MessageContext,
  request: FastifyRequest,
  reply: FastifyReply,
  message: unknown,
): Promise<Response> {
  const disconnected = disconnectSignal(reply);
  const { authorization, 'user-agent': user_agent } = request.headers;
  const sender: Sender = {
    app: context.app,
    source: 'mcp',
    authorization,
    address: request.ip,
    user_agent,
    signal: disconnected,
  };
  const call: McpCall = {
    ...context,
    signal: AbortSignal.any([disconnected, stopping]),
    send: (name, parts) => sendEndpointRequest(sender, name, parts),
    async takeBase64Turn() {
      const endTurn = await base64_turns.take(context.caller.key_id, disconnected);
      if (reply.raw.closed) endTurn();
      else reply.raw.once('close', endTurn);
    },
  };
  const handler = createMcpHandler(() => createMcpServer(call), {
    // There are no lists that change while a stream is open.
    maxSubscriptions: 0,
    onerror: (error) => request.log.debug({ err: error }, 'MCP message refused'),
  });
  reply.raw.once('close', () => {
    handler.close().catch((error: unknown) => request.log.warn({ err: error }, 'MCP handler not closed'));
  });
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
