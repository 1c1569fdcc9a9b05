import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import {
  damagedFileError,
  foreignContentError,
  MAX_PARTS,
  truncatedFileError,
} from '#server/platform/media/media-error.ts';

const SCREEN_AT = 6;
const BLOCKS_AT = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** The size of a GIF must not open a script comment. @returns the number of frames @throws {MediaError} */
export async function checkGif(reader: ByteReader): Promise<number> {
  const screen = await reader.bytes(SCREEN_AT, BLOCKS_AT - SCREEN_AT);
  if (screen.length < 7) throw truncatedFileError();
  // `GIF89a/*` would make the whole file a script with the image as its comment.
  if (/\/[/*]/.test(screen.toString('latin1'))) throw foreignContentError();
  let at = BLOCKS_AT + colorTableBytes(screen[4]);
  let frames = 0;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const kind = (await reader.bytes(at, 1))[0];
    if (kind === undefined) throw truncatedFileError();
    if (kind === TRAILER) {
      if (at + 1 < reader.size_bytes) throw foreignContentError();
      return frames;
    }
    if (kind === EXTENSION) at = await skipSubBlocks(reader, at + 2);
    else if (kind === IMAGE) {
      frames += 1;
      const local = (await reader.bytes(at + 9, 1))[0];
      at = await skipSubBlocks(reader, at + 10 + colorTableBytes(local) + 1);
    } else throw damagedFileError();
  }
  throw damagedFileError();
}

const colorTableBytes = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));

async function skipSubBlocks(reader: ByteReader, start: number): Promise<number> {
  let at = start;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const length = (await reader.bytes(at, 1))[0];
    if (length === undefined) throw truncatedFileError();
    at += 1 + length;
    if (length === 0) return at;
  }
  throw damagedFileError();
}

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const CHUNK_FRAME_BYTES = 12;

/** A PNG ends with its IEND chunk. @throws {MediaError} */
export async function checkPng(reader: ByteReader): Promise<void> {
  let at = SIGNATURE_BYTES;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const head = await reader.bytes(at, 8);
    if (head.length < 8) throw truncatedFileError();
    at += CHUNK_FRAME_BYTES + head.readUInt32BE(0);
    if (at > reader.size_bytes) throw truncatedFileError();
    if (head.toString('latin1', 4) !== 'IEND') continue;
    if (at < reader.size_bytes) throw foreignContentError();
    return;
  }
  throw damagedFileError();
}
