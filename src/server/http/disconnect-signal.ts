import type { FastifyReply } from 'fastify';

/** Returns a signal that aborts when the client closes the connection before it has the whole response. */
export function disconnectSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const disconnected = new AbortController();
  const abortUnlessSent = () => {
    if (!raw.writableFinished) disconnected.abort();
  };
  if (raw.closed) abortUnlessSent();
  else raw.once('close', abortUnlessSent);
  return disconnected.signal;
}
