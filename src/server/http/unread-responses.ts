import { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

export interface UnreadLimits {
  stallMs: number;
  maxCharacters: number;
}

export const UNREAD_LIMITS: UnreadLimits = { stallMs: 60_000, maxCharacters: 64 * 1024 * 1024 };

/**
 * Closes connections of clients that send requests and do not read the responses: one that reads nothing for
 * `stallMs`, as proxies do, and the oldest ones when all unread responses together exceed `maxCharacters`. The sum
 * is per process, because behind a proxy all clients share one address.
 */
export function limitUnreadResponses(app: FastifyInstance, { stallMs, maxCharacters }: UnreadLimits): void {
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
    socket.setTimeout(stallMs);
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
        if (total <= maxCharacters || oldest === raw) break;
        forget(oldest);
        oldest.destroy();
      }
    }
    done(null, payload);
  });
}
