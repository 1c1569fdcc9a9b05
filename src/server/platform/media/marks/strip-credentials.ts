import type { FileHandle } from 'node:fs/promises';
import { ByteReader } from '#server/platform/media/byte-reader.ts';
import { detectMarkFormat, findMarks, ID3_HEAD_BYTES, type MarkFormat, readSyncsafe } from './read-marks.ts';

/** Bytes that are left out, or replaced by as many others. */
interface Edit {
  start: number;
  end: number;
  replacement: Buffer | 'zeros' | null;
}

const PIECE_BYTES = 262_144;

/** Reads a file without its content credentials (C2PA). Nothing else is changed. */
export async function* stripCredentials(handle: FileHandle): AsyncGenerator<Buffer> {
  const { size } = await handle.stat();
  let at = 0;
  for (const { start, end, replacement } of await planEdits(new ByteReader(handle, size))) {
    yield* readPieces(handle, at, start);
    if (replacement === 'zeros')
      for (let left = end - start; left > 0; left -= PIECE_BYTES) yield Buffer.alloc(Math.min(left, PIECE_BYTES));
    else if (replacement) yield replacement;
    at = end;
  }
  yield* readPieces(handle, at, size);
}

async function* readPieces(handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, end - at));
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    if (bytesRead === 0) throw new Error('The file was cut while it was read.');
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}

type Part = Pick<Edit, 'start' | 'end'>;

/** In the order of the file. */
async function planEdits(reader: ByteReader): Promise<Edit[]> {
  const format = detectMarkFormat(await reader.bytes(0, 12));
  if (!format) return [];
  const parts: Part[] = [];
  for await (const found of findMarks(reader, format)) if (found.mark === 'c2pa') parts.push(...found.parts);
  if (parts.length === 0) return [];
  const edits = await EDITORS[format](reader, parts);
  return edits.toSorted((one, other) => one.start - other.start);
}

type Editor = (reader: ByteReader, parts: readonly Part[]) => Promise<Edit[]>;

const cutParts: Editor = async ({ size_bytes }, parts) =>
  parts.map(({ start, end }) => ({ start, end: Math.min(end, size_bytes), replacement: null }));

const EDITORS = {
  png: cutParts,
  jpeg: cutParts,
  webp: cutChunks,
  wav: cutChunks,
  bmff: freeBoxes,
  id3: cutFrames,
} as const satisfies Record<MarkFormat, Editor>;

const sumBytes = (edits: readonly Edit[]): number => edits.reduce((sum, { start, end }) => sum + end - start, 0);

const RIFF_SIZE_AT = 4;

async function cutChunks(reader: ByteReader, parts: readonly Part[]): Promise<Edit[]> {
  const cuts = await cutParts(reader, parts);
  const stated = (await reader.bytes(RIFF_SIZE_AT, 4)).readUInt32LE(0);
  const bytes = sumBytes(cuts.filter(({ start }) => start < RIFF_SIZE_AT + 4 + stated));
  // Programs that write to a pipe state the largest size, or none.
  if (bytes > stated || stated === 0xff_ff_ff_ff) return cuts;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(stated - bytes);
  return [{ start: RIFF_SIZE_AT, end: RIFF_SIZE_AT + 4, replacement: size }, ...cuts];
}

/** Boxes at the end are cut. Others become free space of the same length, because offsets into the media follow them. */
async function freeBoxes(reader: ByteReader, parts: readonly Part[]): Promise<Edit[]> {
  const edits: Edit[] = [];
  let fileEnd = reader.size_bytes;
  for (const { start, end } of parts.toReversed()) {
    if (end === fileEnd) {
      fileEnd = start;
      edits.push({ start, end, replacement: null });
      continue;
    }
    const isWide = (await reader.bytes(start, 4)).readUInt32BE(0) === 1;
    edits.push({ start: start + 4, end: start + 8, replacement: Buffer.from('free') });
    edits.push({ start: start + (isWide ? 16 : 8), end, replacement: 'zeros' });
  }
  return edits;
}

const ID3_SIZE_AT = 6;
const HAS_FOOTER = 0x10;

async function cutFrames(reader: ByteReader, parts: readonly Part[]): Promise<Edit[]> {
  const cuts = await cutParts(reader, parts);
  const head = await reader.bytes(0, ID3_HEAD_BYTES);
  const stated = readSyncsafe(head, ID3_SIZE_AT);
  const left = stated - sumBytes(cuts);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (left >>> shift) & 0x7f));
  const hasFooter = ((head[5] ?? 0) & HAS_FOOTER) !== 0;
  // A tag must have a frame.
  if (left === 0 && !hasFooter) return [{ start: 0, end: ID3_HEAD_BYTES, replacement: null }, ...cuts];
  const sizesAt = [ID3_SIZE_AT, ...(hasFooter ? [ID3_HEAD_BYTES + stated + ID3_SIZE_AT] : [])];
  return [...sizesAt.map((start) => ({ start, end: start + 4, replacement: size })), ...cuts];
}
