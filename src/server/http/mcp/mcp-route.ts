import type { Deps } from '#server/platform/deps.ts';
import { Readable } from 'node:stream';
import { type ReadableStream } from 'node:stream/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpoints } from '#contract/api/endpoints.ts';
import { isJson } from '#contract/json-value.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import { authenticateProgram } from '#server/http/authenticate.ts';
import type { RateLimit } from '#server/http/rate-limit.ts';
import { COMPRESSED_BODY_MESSAGE, isCompressed } from '#server/http/compressed-body.ts';
import { sendEarly } from '#server/http/errors.ts';
import { readJsonBody } from '#server/http/read-json-body.ts';
import { MCP_PATH } from './mcp-headers.ts';
import type { MessageContext } from './handle-message.ts';

type McpDeps = Deps & { rate_limit: RateLimit };

/**
 * Serves the Model Context Protocol over streamable HTTP. Each message is answered by a server of its own, so processes
 * behind a balancer share nothing. Decision: MCP
 */
export function mcpRoute(
  app: FastifyInstance,
  deps: McpDeps,
  slots: Pick<MessageContext, 'wait_slots' | 'base64_turns'>,
): void {
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());

  app.post(MCP_PATH, async (request, reply) => {
    const { authorization } = request.headers;
    const caller = await authenticateProgram(deps, { permission: 'account.use', authorization }, request, reply);
    request.caller = caller;
    if (isCompressed(request.raw)) return sendRpcError(request, reply, 400, COMPRESSED_BODY_MESSAGE);
    const message = await readJsonBody(request.raw, endpoints.create_generation, deps.config.maxJsonBytes);
    if (!isAllowedOrigin(deps.config, request.headers.origin))
      return sendRpcError(request, reply, 403, 'This origin is not allowed.');
    if (Array.isArray(message)) return sendRpcError(request, reply, 400, 'Send one message in a request.');
    if (hasLongId(message))
      return sendRpcError(request, reply, 400, `The id of a message has at most ${MAX_ID_CHARACTERS} characters.`);
    // Most processes never get a message, and the SDK needs 30 MB.
    const { handleMessage } = await import('./handle-message.ts');
    const context = { ...slots, deps, app, caller, stopping: stopping.signal };
    reply.raw.once('finish', () => {
      // The connection of a stream would stay open for the next message, and keep the process from stopping.
      if (stopping.signal.aborted) request.raw.socket.destroySoon();
    });
    return sendResponse(reply, await handleMessage(context, request, reply, message));
  });

  app.route({
    method: ['GET', 'DELETE'],
    url: MCP_PATH,
    async handler(request, reply) {
      await deps.rate_limit.countAddress(request.ip);
      reply.header('allow', 'POST');
      throw new ApiError('method_not_allowed', `${request.method} is not allowed here. Messages are sent with POST.`);
    },
  });
}

/** The answer repeats it. */
const MAX_ID_CHARACTERS = 200;
const hasLongId = (message: unknown): boolean =>
  isJson(message) && typeof message['id'] === 'string' && message['id'].length > MAX_ID_CHARACTERS;

/** Programs send no Origin. A browser's must be one that the API accepts, against DNS rebinding. */
const isAllowedOrigin = ({ publicUrl, allowedOrigins }: Config, origin: string | undefined): boolean =>
  origin === undefined || origin === new URL(publicUrl).origin || allowedOrigins.includes(origin);

function sendRpcError(request: FastifyRequest, reply: FastifyReply, status: number, message: string) {
  reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8');
  const error = { code: -32_600, message };
  return sendEarly(request, reply, JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  reply.code(response.status).header('cache-control', 'no-store');
  if (type !== null) reply.type(type);
  if (response.body === null) return reply.send();
  if (type?.startsWith('text/event-stream') !== true) return reply.send(await response.text());
  // Proxies must not hold progress back.
  reply.header('x-accel-buffering', 'no');
  return reply.send(Readable.fromWeb(response.body as ReadableStream));
}
