import type { IncomingMessage } from 'node:http';
import { receiveBody, ReceiveError, type ReceiveLimits } from '#server/core/receive-body.ts';

export interface StreamedBody {
  stream: ReadableStream<Uint8Array>;
  /** Why the body is incomplete; undefined if it is not. */
  failure(): unknown;
}

/**
 * Converts a request body to a web stream with backpressure and the upload limits.
 * @param options.signal aborts the stream
 * @param options.check is called with the length of each chunk before it is passed on; an error aborts the stream
 */
export function streamBody(
  incoming: IncomingMessage,
  { limits, signal, check }: { limits: ReceiveLimits; signal: AbortSignal; check: (bytes: number) => Promise<void> },
): StreamedBody {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  let failure: unknown;
  const handleChunk = async (chunk: Buffer): Promise<void> => {
    signal.throwIfAborted();
    await check(chunk.length).catch((error: unknown) => {
      failure ??= error;
      throw error;
    });
    return writer.write(chunk);
  };
  const fail = async (error: unknown): Promise<void> => {
    // Any other error comes from the consumer of the stream.
    if (signal.aborted || error instanceof ReceiveError) failure ??= error;
    await writer.abort(error);
  };
  const onAbort = () => void fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  receiveBody(incoming, handleChunk, limits)
    .then(() => writer.close())
    .catch(fail)
    .finally(() => signal.removeEventListener('abort', onAbort));
  return { stream: readable, failure: () => failure };
}
