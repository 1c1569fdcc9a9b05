import type { IncomingMessage } from 'node:http';
import { receive, ReceiveError, type ReceiveLimits } from '../../http/receive.ts';

export interface Body {
  stream: ReadableStream<Uint8Array>;
  /** Why it did not arrive whole; undefined while it does. */
  failure(): unknown;
}

/**
 * A body as a stream of the web, read no faster than it is taken, with the limits of all uploads.
 * @param signal ends it early
 */
export function readBody(incoming: IncomingMessage, limits: ReceiveLimits, signal: AbortSignal): Body {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let failure: unknown;
  const take = (chunk: Buffer): Promise<void> => {
    signal.throwIfAborted();
    return writer.write(chunk);
  };
  const fail = async (error: unknown): Promise<void> => {
    // Any other error is of whoever takes the pieces.
    if (signal.aborted || error instanceof ReceiveError) failure ??= error;
    await writer.abort(error);
  };
  const onAbort = () => void fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  receive(incoming, take, limits)
    .then(() => writer.close())
    .catch(fail)
    .finally(() => signal.removeEventListener('abort', onAbort));
  return { stream: readable, failure: () => failure };
}
