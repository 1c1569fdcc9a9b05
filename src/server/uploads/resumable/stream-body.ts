import type { IncomingMessage } from 'node:http';
import { receiveBody, ReceiveError, type ReceiveLimits } from '#server/core/receive-body.ts';

export interface StreamedBody {
  stream: ReadableStream<Uint8Array>;
  /** Why it did not arrive whole; undefined while it does. */
  failure(): unknown;
}

/**
 * A body as a stream of the web, read no faster than it is taken, with the limits of all uploads.
 * @param options.signal ends it early
 * @param options.check is called with the length of each piece before it is passed on; what it throws ends the body
 */
export function streamBody(
  incoming: IncomingMessage,
  { limits, signal, check }: { limits: ReceiveLimits; signal: AbortSignal; check: (bytes: number) => Promise<void> },
): StreamedBody {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let failure: unknown;
  const take = async (chunk: Buffer): Promise<void> => {
    signal.throwIfAborted();
    await check(chunk.length).catch((error: unknown) => {
      failure ??= error;
      throw error;
    });
    return writer.write(chunk);
  };
  const fail = async (error: unknown): Promise<void> => {
    // Any other error is of whoever takes the pieces.
    if (signal.aborted || error instanceof ReceiveError) failure ??= error;
    await writer.abort(error);
  };
  const onAbort = () => void fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  receiveBody(incoming, take, limits)
    .then(() => writer.close())
    .catch(fail)
    .finally(() => signal.removeEventListener('abort', onAbort));
  return { stream: readable, failure: () => failure };
}
