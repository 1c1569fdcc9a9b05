import type { ByteReader } from '../byte-reader.ts';
import { truncatedFileError, damagedFileError, foreignContentError, MAX_PARTS } from './structure-errors.ts';

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
