import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#server/platform/core/api-error.ts';
import { presentError } from './errors.ts';
import type { LogRefusal } from './log-refusals.ts';

const UNREADABLE = 'The request could not be read.';

/** Responds to input that is no HTTP request or not complete in time. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket, logRefusal: LogRefusal): void {
  // Browsers open connections in advance and send a request on one later. A response to a connection that has sent
  // nothing would be taken as the response to that request; a closed one makes them send it on another connection.
  const isUnused = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0;
  if (isUnused || error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, headers, body } = refusal(400, UNREADABLE, error.code ?? 'unknown', logRefusal);
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`${[`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head].join('\r\n')}\r\n\r\n${body}`);
}

/** Closes connections at shutdown that have sent nothing: Node would wait for their first request. */
export function closeUnusedConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  app.addHook('preClose', (done) => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

/** Responds to requests that Node would reject without a log line. Needs `requireHostHeader: false`. */
export function refuseBadHeaders(app: FastifyInstance, logRefusal: LogRefusal): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined)
      throw new ApiError('invalid_request', 'Send a Host header.', { status: 400 });
  });
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const message = 'The only expectation that is supported is 100-continue.';
    const { status, headers, body } = refusal(417, message, 'unknown expectation', logRefusal);
    response.writeHead(status, headers).end(body);
  });
}

function refusal(status: number, message: string, reason: string, logRefusal: LogRefusal) {
  const requestId = randomUUID();
  logRefusal({ status, reason, request_id: requestId });
  const body = JSON.stringify(presentError(new ApiError('invalid_request', message, { status: 400 }), requestId));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  return { status, headers, body };
}
