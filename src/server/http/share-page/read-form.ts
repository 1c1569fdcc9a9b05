import type { IncomingMessage } from 'node:http';
import { MAX_CLIENT_COMMENT_LENGTH } from '#contract/limits.ts';
import { receiveBody } from '#server/platform/core/receive-body.ts';

/** A character takes up to twelve bytes in a form; browsers send line ends as two characters. */
const MAX_BYTES = 14 * MAX_CLIENT_COMMENT_LENGTH;
const TIMEOUT_MS = 30_000;

/** Reads the form of a page without script. @returns null if it is none, too large or incomplete */
export async function readForm(incoming: IncomingMessage): Promise<URLSearchParams | null> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(incoming.headers['content-type'] ?? '')) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  const append = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > MAX_BYTES) throw new RangeError('The form is too large.');
    chunks.push(chunk);
  };
  try {
    await receiveBody(incoming, append, { totalMs: TIMEOUT_MS });
  } catch {
    return null;
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
