import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import {
  damagedFileError,
  foreignContentError,
  MAX_PARTS,
  MediaError,
  tooManyPartsError,
  truncatedFileError,
} from '#server/platform/media/media-error.ts';
import { boxLayout } from './box-layout.ts';
import { type FileLayout, RangeList } from './file-layout.ts';

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const PNG_FRAME_BYTES = 12;
/** Chunks that readers may ignore begin with a lower-case letter; these two hold an animation. */
const PNG_PICTURE_CHUNKS = new Set(['fcTL', 'fdAT']);

/** A PNG ends with its IEND chunk, which writers that were stopped leave out. @throws {MediaError} */
export async function pngLayout(reader: ByteReader): Promise<FileLayout> {
  const metadata = new RangeList(reader.size_bytes);
  let at = PNG_SIGNATURE_BYTES;
  let hasPixels = false;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const head = await reader.bytes(at, 8);
    // The decoder says whether the pixels are all there.
    if (head.length < 8 && hasPixels) return { metadata: metadata.ranges, fillers: [], end: at };
    if (head.length < 8) throw truncatedFileError();
    const [start, type] = [at, head.toString('latin1', 4)];
    at += PNG_FRAME_BYTES + head.readUInt32BE(0);
    if (at > reader.size_bytes && type === 'IEND') at = reader.size_bytes;
    if (at > reader.size_bytes) throw truncatedFileError();
    hasPixels ||= type === 'IDAT';
    if (/^[a-z]/.test(type) && !PNG_PICTURE_CHUNKS.has(type)) metadata.add(start + 8, at);
    if (type === 'IEND') return { metadata: metadata.ranges, fillers: [], end: at };
  }
  throw tooManyPartsError();
}

const GIF_SCREEN_AT = 6;
const GIF_BLOCKS_AT = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
/** Text, comment and data of applications. */
const TEXT_EXTENSIONS = new Set([0x01, 0xfe, 0xff]);

/** The size of a GIF must not open a script comment. Some writers leave the trailer out. @throws {MediaError} */
export async function gifLayout(reader: ByteReader): Promise<FileLayout> {
  const screen = await reader.bytes(GIF_SCREEN_AT, GIF_BLOCKS_AT - GIF_SCREEN_AT);
  if (screen.length < 7) throw truncatedFileError();
  // `GIF89a/*` would make the whole file a script with the image as its comment.
  if (/\/[/*]/.test(screen.toString('latin1'))) throw foreignContentError();
  const metadata = new RangeList(reader.size_bytes);
  let at = GIF_BLOCKS_AT + colorTableBytes(screen[4]);
  let frames = 0;
  const budget: PartBudget = { left: MAX_PARTS };
  for (; budget.left > 0; budget.left -= 1) {
    const [kind, label = 0] = await reader.bytes(at, 2);
    if (kind === EXTENSION) {
      const start = at + 2;
      at = await skipSubBlocks(reader, start, budget);
      if (TEXT_EXTENSIONS.has(label)) metadata.add(start, at);
    } else if (kind === IMAGE) {
      frames += 1;
      const local = (await reader.bytes(at + 9, 1))[0];
      at = await skipSubBlocks(reader, at + 10 + colorTableBytes(local) + 1, budget);
    } else {
      if (kind === undefined && frames === 0) throw truncatedFileError();
      if (kind !== undefined && kind !== TRAILER && kind !== 0) throw damagedFileError();
      const end = kind === TRAILER ? at + 1 : at;
      return { metadata: metadata.ranges, fillers: [], end, allowsOnlyPadding: true };
    }
  }
  throw tooManyPartsError();
}

const colorTableBytes = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

/** Shared by all blocks of a file: each may have as many parts. */
interface PartBudget {
  left: number;
}

async function skipSubBlocks(reader: ByteReader, start: number, budget: PartBudget): Promise<number> {
  let at = start;
  for (; budget.left > 0; budget.left -= 1) {
    const length = (await reader.bytes(at, 1))[0];
    if (length === undefined) throw truncatedFileError();
    at += 1 + length;
    if (at > reader.size_bytes) throw truncatedFileError();
    if (length === 0) return at;
  }
  throw tooManyPartsError();
}

const SCAN_BYTES = 65_536;
const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;

/**
 * Cameras append further images, thumbnails with their own metadata, and the video of a motion photo.
 * The decoder finds truncated images. @throws {MediaError}
 */
export async function jpegLayout(reader: ByteReader): Promise<FileLayout> {
  const metadata = new RangeList(reader.size_bytes);
  const budget: PartBudget = { left: MAX_PARTS };
  let end = await skipJpeg(reader, 0, metadata, budget);
  while ((await reader.bytes(end, 3)).toString('latin1') === '\xff\xd8\xff')
    end = await skipJpeg(reader, end, metadata, budget);
  if ((await reader.bytes(end + 4, 4)).toString('latin1') === 'ftyp') {
    const video = await boxLayout(reader, end).catch(asUnreadable);
    for (const range of video?.metadata ?? []) metadata.add(range.start, range.end);
    end = video?.end ?? end;
  }
  return { metadata: metadata.ranges, fillers: [], end };
}

/** What follows an image need not be whole. */
function asUnreadable(error: unknown): null {
  if (error instanceof MediaError) return null;
  throw error;
}

/** @returns where the image ends */
async function skipJpeg(reader: ByteReader, start: number, metadata: RangeList, budget: PartBudget): Promise<number> {
  let at = start + 2;
  for (; budget.left > 0; budget.left -= 1) {
    at = await findMarker(reader, at);
    const marker = (await reader.bytes(at + 1, 1))[0];
    if (marker === undefined) return reader.size_bytes;
    at += 2;
    if (marker === END_OF_IMAGE) return at;
    if (marker === 1 || marker === 0xd8) continue;
    const length = await reader.bytes(at, 2);
    if (length.length < 2) return reader.size_bytes;
    const next = Math.min(at + Math.max(2, length.readUInt16BE(0)), reader.size_bytes);
    if ((marker >= 0xe0 && marker <= 0xef) || marker === COMMENT) metadata.add(at, next);
    at = next;
  }
  throw tooManyPartsError();
}

/** Finds the next marker at or after a position, over image data with its stuffed bytes and restarts. */
async function findMarker(reader: ByteReader, start: number): Promise<number> {
  for (let at = start; at + 1 < reader.size_bytes;) {
    const window = await reader.bytes(at, SCAN_BYTES);
    for (let found = window.indexOf(0xff); found >= 0 && found + 1 < window.length;) {
      const marker = window[found + 1] ?? 0;
      const isData = marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
      if (!isData) return at + found;
      found = window.indexOf(0xff, found + 1);
    }
    at += window.length - 1;
  }
  return reader.size_bytes;
}
