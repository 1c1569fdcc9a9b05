import { open, rm } from 'node:fs/promises';
import { OutboundError, toOutboundError } from './outbound-error.ts';

/**
 * A failed download leaves no file. @returns size in bytes
 * @throws {OutboundError} `too_large` as soon as it is, `unreachable`; the system's error when the disk fails
 */
export async function saveBody(
  body: AsyncIterable<Uint8Array>,
  declaredLength: string | null,
  file: string,
  maxBytes: number,
): Promise<number> {
  if (Number(declaredLength ?? 0) > maxBytes) throw tooLargeError(maxBytes);
  const handle = await open(file, 'wx');
  let whole = false;
  try {
    let sizeBytes = 0;
    for await (const chunk of readChunks(body)) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw tooLargeError(maxBytes);
      await handle.appendFile(chunk);
    }
    whole = true;
    return sizeBytes;
  } finally {
    await handle.close();
    if (!whole) await rm(file, { force: true });
  }
}

/** Separates faults of the server from those of the disk. */
async function* readChunks(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const body = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await body.next().catch((error: unknown) => {
      throw toOutboundError(error);
    });
    if (next.done) return;
    yield next.value;
  }
}

export const tooLargeError = (maxBytes: number): OutboundError =>
  new OutboundError('too_large', `The file is larger than ${Math.floor(maxBytes / 1_048_576)} MB.`);
