import type { ByteReader } from '../byte-reader.ts';
import { truncatedFileError, damagedFileError, foreignContentError } from './structure-errors.ts';

const SEGMENT = 0x18_53_80_67;
const MAX_TOP_LEVEL = 64;

/**
 * A Matroska or WebM file is an EBML header and a segment of the stated length; recorders leave the length open.
 * @throws {MediaError}
 */
export async function checkEbml(reader: ByteReader): Promise<void> {
  let at = 0;
  let saw_segment = false;
  for (let part = 0; part < MAX_TOP_LEVEL; part += 1) {
    if (at === reader.size_bytes) {
      if (!saw_segment) throw truncatedFileError();
      return;
    }
    const id = await readNumber(reader, at, false);
    if (!id) throw saw_segment ? foreignContentError() : truncatedFileError();
    const length = await readNumber(reader, at + id.width, true);
    if (!length) throw saw_segment ? foreignContentError() : truncatedFileError();
    if (id.value === SEGMENT) saw_segment = true;
    else if (saw_segment) throw foreignContentError();
    if (length.unknown) return;
    at += id.width + length.width + length.value;
    if (at > reader.size_bytes) throw truncatedFileError();
  }
  throw damagedFileError();
}

interface EbmlNumber {
  value: number;
  width: number;
  unknown: boolean;
}

/** Reads a variable-length number: leading zero bits give its size, all ones mean unknown. */
async function readNumber(reader: ByteReader, at: number, drop_marker: boolean): Promise<EbmlNumber | undefined> {
  const bytes = await reader.bytes(at, 8);
  const first = bytes[0];
  if (first === undefined || first === 0) return undefined;
  const width = Math.clz32(first) - 23;
  if (bytes.length < width) return undefined;
  const marker = 0x80 >> (width - 1);
  let value = drop_marker ? first & (marker - 1) : first;
  let unknown = (first & (marker - 1)) === marker - 1;
  for (const byte of bytes.subarray(1, width)) {
    value = value * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { value, width, unknown };
}
