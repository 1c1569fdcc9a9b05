import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CompletedPart } from '@aws-sdk/client-s3';
import type { Bucket } from './s3-bucket.ts';
import { callS3 } from './s3-errors.ts';
import type { WrittenObject } from './storage.ts';

/** A stream of unknown length may have up to 10,000 parts. */
const PART_BYTES = 8 * 1_048_576;
const MAX_PARTS = 10_000;
const CONCURRENT_PARTS = 2;
const ABORT_TIMEOUT_MS = 1_500;

/**
 * Stores an object completely or not at all: large ones in parts, which are removed after a failure.
 * @throws {StorageError} `unavailable`; what the source throws; the signal's reason when aborted
 */
export async function putObject(
  bucket: Bucket,
  key: string,
  source: AsyncIterable<Uint8Array> | { file: string },
  signal: AbortSignal | undefined,
): Promise<WrittenObject> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      hash.update(chunk);
      sizeBytes += chunk.byteLength;
      yield chunk;
    }
    signal?.throwIfAborted();
  }
  const { chunks, part_bytes } = await openSource(source);
  const parts = splitParts(counted(chunks), part_bytes);
  const first = (await parts.next()).value ?? Buffer.alloc(0);
  const second = await parts.next();
  if (second.done)
    await callS3(signal, (options) => bucket.s3.putObject({ ...bucket.locate(key), Body: first }, options));
  else await putParts(bucket, key, prependParts([first, second.value], parts), signal);
  return { size_bytes: sizeBytes, sha256: hash.digest('hex') };
}

async function openSource(source: AsyncIterable<Uint8Array> | { file: string }) {
  if (!('file' in source)) return { chunks: source, part_bytes: PART_BYTES };
  const { size } = await stat(source.file);
  return {
    chunks: createReadStream(source.file, { highWaterMark: 262_144 }),
    part_bytes: Math.max(Math.min(size, PART_BYTES), Math.ceil(size / MAX_PARTS), 1),
  };
}

async function* splitParts(chunks: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Buffer, void> {
  let part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.byteLength;) {
      const piece = chunk.subarray(offset, offset + partBytes - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      offset += piece.byteLength;
      if (filled < partBytes) continue;
      yield part;
      part = Buffer.allocUnsafeSlow(partBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

async function* prependParts(begun: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for (let part = begun.shift(); part; part = begun.shift()) yield part;
  yield* rest;
}

async function putParts(
  { s3, locate }: Bucket,
  key: string,
  parts: AsyncIterable<Buffer>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { UploadId } = await callS3(signal, (options) => s3.createMultipartUpload(locate(key), options));
  const upload = { ...locate(key), UploadId };
  const stopped = new AbortController();
  const until = signal ? AbortSignal.any([signal, stopped.signal]) : stopped.signal;
  const underWay = new Set<Promise<void>>();
  const done: CompletedPart[] = [];
  async function send(PartNumber: number, Body: Buffer): Promise<void> {
    const { ETag } = await callS3(until, (options) => s3.uploadPart({ ...upload, PartNumber, Body }, options));
    done.push({ PartNumber, ETag });
  }
  try {
    let number = 0;
    for await (const part of parts) {
      const sending = send((number += 1), part).finally(() => underWay.delete(sending));
      // Awaited below, possibly after it has failed.
      sending.catch(() => undefined);
      underWay.add(sending);
      if (underWay.size >= CONCURRENT_PARTS) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    const MultipartUpload = { Parts: done.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0)) };
    await callS3(signal, (options) => s3.completeMultipartUpload({ ...upload, MultipartUpload }, options));
  } catch (error) {
    stopped.abort(error);
    // A part that arrives later would be left behind.
    await Promise.allSettled(underWay);
    // A store that hangs does not answer this either; the hourly cleanup removes what is left behind.
    const aborting = callS3(undefined, (options) => s3.abortMultipartUpload(upload, options), ABORT_TIMEOUT_MS);
    await aborting.catch(() => undefined);
    throw error;
  }
}
