import { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

export interface UnreadLimits {
  stall_ms: number;
  max_characters: number;
}

export const UNREAD_LIMITS: UnreadLimits = { stall_ms: 60_000, max_characters: 64 * 1024 * 1024 };

/**
 * Closes connections of clients that send requests and do not read the responses: one that reads nothing for
 * `stall_ms`, as proxies do, and the oldest ones when all unread responses together exceed `max_characters`. The sum
 * is per process, because behind a proxy all clients share one address.
 */
export function limitUnreadResponses(app: FastifyInstance, { stall_ms, max_characters }: UnreadLimits): void {
  const unread = new Map<ServerResponse, number>();
  let total = 0;

  const forget = (response: ServerResponse): void => {
    total -= unread.get(response) ?? 0;
    unread.delete(response);
  };

  // These hooks call back, since promises would be a measurable part of a short request.
  app.addHook('onRequest', ({ raw: { socket } }, { raw }, done) => {
    // Injected requests have no connection.
    if (!(socket instanceof Socket)) return done();
    socket.setTimeout(stall_ms);
    // Slow work on a response, or a slow request body, is no stall.
    raw.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
    done();
  });

  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // A stream is read only as fast as the client takes it.
    if (typeof payload === 'string' && !raw.destroyed) {
      unread.set(raw, payload.length);
      total += payload.length;
      raw.once('close', () => forget(raw));
      for (const [oldest] of unread) {
        if (total <= max_characters || oldest === raw) break;
        forget(oldest);
        oldest.destroy();
      }
    }
    done(null, payload);
  });
}
