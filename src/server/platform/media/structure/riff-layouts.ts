import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import { MAX_PARTS, tooManyPartsError, truncatedFileError } from '#server/platform/media/media-error.ts';
import { type FileLayout, RangeList } from './file-layout.ts';
import { trailingTags } from './audio-layouts.ts';

const FORM_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const FILLERS = new Set(['JUNK', 'junk', 'PAD ', 'FLLR', 'filr']);
const PICTURE_CHUNKS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);
const SOUND_CHUNKS = new Set(['fmt ', 'data', 'fact', 'ds64']);
/**
 * Programs that can't go back to fill in the length of a stream write one that no stream reaches. More than can be
 * uploaded by default.
 */
const PLACEHOLDER_BYTES = 536_870_912;
/** Writers that count heads as sound. */
const MISCOUNTED_BYTES = 64;
const IN_DS64 = 0xff_ff_ff_ff;

const isChunkId = (bytes: Buffer): boolean =>
  bytes.length >= 4 && /^[\x20-\x7e]{4}$/.test(bytes.toString('latin1', 0, 4));

/**
 * The chunks of a WAV count, not the length of the whole, which writers leave open or get wrong. Tags may follow.
 * @throws {MediaError}
 */
export async function wavLayout(reader: ByteReader): Promise<FileLayout> {
  const metadata = new RangeList(reader.size_bytes);
  const fillers = new RangeList();
  let isLengthUnknown = false;
  let longDataBytes: number | null = null;
  let hasData = false;
  let at = FORM_BYTES;
  for (let part = 0; at < reader.size_bytes; part += 1) {
    if (part === MAX_PARTS) throw tooManyPartsError();
    const head = await reader.bytes(at, CHUNK_HEAD_BYTES);
    if (head.length < CHUNK_HEAD_BYTES || !isChunkId(head)) break;
    const [id, stated] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const start = at + CHUNK_HEAD_BYTES;
    const left = reader.size_bytes - start;
    let length = stated === IN_DS64 && longDataBytes !== null ? longDataBytes : stated;
    if (id === 'ds64') longDataBytes = await readLongDataBytes(reader, start);
    if (id === 'data' && (await isOpenEnded(reader, start, length))) {
      isLengthUnknown = true;
      length = left;
    }
    if (id === 'data' && length > left && length <= left + MISCOUNTED_BYTES) length = left;
    // What follows the sound may be a tag that is no chunk.
    if (length > left && hasData) break;
    if (length > left) throw truncatedFileError();
    hasData ||= id === 'data';
    if (FILLERS.has(id)) fillers.add(start, start + length);
    else if (!SOUND_CHUNKS.has(id)) metadata.add(start, start + length);
    at = await nextChunk(reader, start + length, length);
  }
  if (!hasData) throw truncatedFileError();
  for (const tag of await trailingTags(reader)) metadata.add(tag.start, tag.end);
  return { metadata: metadata.ranges, fillers: fillers.ranges, end: Math.min(at, reader.size_bytes), isLengthUnknown };
}

/** Some writers leave out the byte after a chunk of odd length; with it, both places can look like a chunk. */
async function nextChunk(reader: ByteReader, end: number, length: number): Promise<number> {
  if (length % 2 === 0) return end;
  const fits = async (at: number): Promise<boolean> => {
    const head = await reader.bytes(at, CHUNK_HEAD_BYTES);
    const left = reader.size_bytes - at - CHUNK_HEAD_BYTES;
    return head.length === CHUNK_HEAD_BYTES && isChunkId(head) && head.readUInt32LE(4) <= left;
  };
  return (await fits(end)) && !(await fits(end + 1)) ? end : end + 1;
}

async function isOpenEnded(reader: ByteReader, start: number, length: number): Promise<boolean> {
  const left = reader.size_bytes - start;
  if (length !== 0) return length > left && length >= PLACEHOLDER_BYTES;
  const next = await reader.bytes(start, CHUNK_HEAD_BYTES);
  const isChunk =
    next.length === CHUNK_HEAD_BYTES && isChunkId(next) && next.readUInt32LE(4) <= left - CHUNK_HEAD_BYTES;
  return left > 0 && !isChunk;
}

/** RF64 keeps long lengths in a chunk of their own: of the whole, then of the sound. */
async function readLongDataBytes(reader: ByteReader, start: number): Promise<number | null> {
  const lengths = await reader.bytes(start, 16);
  return lengths.length === 16 ? Number(lengths.readBigUInt64LE(8)) : null;
}

/** A WebP has the length that it states; a last odd chunk may lack its pad, and some writers count the head. @throws {MediaError} */
export async function webpLayout(reader: ByteReader): Promise<FileLayout> {
  const metadata = new RangeList(reader.size_bytes);
  const fillers = new RangeList();
  const form = await reader.bytes(0, FORM_BYTES);
  if (form.length < FORM_BYTES) throw truncatedFileError();
  const stated = CHUNK_HEAD_BYTES + form.readUInt32LE(4);
  const end = Math.min(stated + (stated % 2), reader.size_bytes);
  let at = FORM_BYTES;
  for (let part = 0; at + CHUNK_HEAD_BYTES <= end; part += 1) {
    if (part === MAX_PARTS) throw tooManyPartsError();
    const head = await reader.bytes(at, CHUNK_HEAD_BYTES);
    const [id, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const start = at + CHUNK_HEAD_BYTES;
    at = start + length + (length % 2);
    if (start + length > reader.size_bytes) throw truncatedFileError();
    if (FILLERS.has(id)) fillers.add(start, start + length);
    else if (!PICTURE_CHUNKS.has(id)) metadata.add(start, start + length);
  }
  if (stated > Math.max(at, end) + CHUNK_HEAD_BYTES) throw truncatedFileError();
  return { metadata: metadata.ranges, fillers: fillers.ranges, end };
}
