import type { IncomingMessage } from 'node:http';

/** Why a body is incomplete. A response can still be sent unless the client is gone. */
export class ReceiveError extends Error {
  readonly reason: 'stalled' | 'timeout' | 'gone';

  constructor(reason: ReceiveError['reason'], cause?: unknown) {
    super(`The request body is incomplete: ${reason}`, { cause });
    this.name = 'ReceiveError';
    this.reason = reason;
  }
}

export interface ReceiveLimits {
  /** Maximum time without a byte from the client; no more than the total by default. */
  stallMs?: number;
  totalMs: number;
}

/**
 * Passes a body to `onChunk` chunk by chunk, with back pressure, and resolves at its end.
 * @throws {ReceiveError}, and any error of `onChunk`
 */
export function receiveBody(
  incoming: IncomingMessage,
  onChunk: (chunk: Buffer) => Promise<void> | void,
  { stallMs, totalMs }: ReceiveLimits,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    let busy = false;
    let ended = false;
    const total = setTimeout(() => fail(new ReceiveError('timeout')), totalMs);
    let stall = waitForBytes();
    function waitForBytes(): NodeJS.Timeout | undefined {
      return stallMs === undefined ? undefined : setTimeout(() => fail(new ReceiveError('stalled')), stallMs);
    }
    function onData(chunk: Buffer): void {
      try {
        const consumed = onChunk(chunk);
        // Pausing and resuming would be a measurable part of a short request.
        if (consumed === undefined) stall?.refresh();
        else void waitFor(consumed);
      } catch (error) {
        fail(error);
      }
    }
    async function waitFor(consumed: Promise<void>): Promise<void> {
      clearTimeout(stall);
      incoming.pause();
      busy = true;
      try {
        await consumed;
      } catch (error) {
        return fail(error);
      }
      busy = false;
      if (over) return;
      if (ended) return onEnd();
      stall = waitForBytes();
      incoming.resume();
    }
    function onEnd(): void {
      // A paused stream still emits its end, possibly while the last chunk is being processed.
      ended = true;
      if (busy) return;
      stop();
      resolve();
    }
    function onGone(cause?: unknown): void {
      if (!ended) fail(new ReceiveError('gone', cause));
    }
    function fail(error: unknown): void {
      stop();
      reject(error);
    }
    function stop(): void {
      over = true;
      clearTimeout(total);
      clearTimeout(stall);
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
    }
    if (incoming.readableEnded) return onEnd();
    if (incoming.destroyed) return onGone();
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}
