import { Socket } from 'node:net';
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

export interface UnreadLimits {
  /** Without a byte that the client takes. */
  stall_ms: number;
  /** Of all responses together that clients have not taken yet. */
  max_characters: number;
}

export const UNREAD_LIMITS: UnreadLimits = { stall_ms: 60_000, max_characters: 64 * 1024 * 1024 };

/**
 * Ends connections of clients that ask and do not read. One is ended when it takes nothing for `stall_ms`, as proxies do
 * it; and the longest waiting ones as soon as all responses together hold more than `max_characters`. That sum is of the
 * process, since behind a proxy all clients have one address.
 */
export function limitUnreadResponses(app: FastifyInstance, { stall_ms, max_characters }: UnreadLimits): void {
  /** In the order in which they began. */
  const unread = new Map<ServerResponse, number>();
  let total = 0;

  const forget = (response: ServerResponse): void => {
    total -= unread.get(response) ?? 0;
    unread.delete(response);
  };

  app.addHook('onRequest', async ({ raw: { socket } }, { raw }) => {
    // A request that is injected has no connection.
    if (!(socket instanceof Socket)) return;
    socket.setTimeout(stall_ms);
    // Work on a response, or a body that is slow to arrive, is no stall.
    raw.on('timeout', () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });

  app.addHook('onSend', async (_request, { raw }, payload) => {
    // A stream is read as fast as the client takes it.
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
    return payload;
  });
}
