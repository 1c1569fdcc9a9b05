import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import { MAX_PARTS, tooManyPartsError, truncatedFileError } from '#server/platform/media/media-error.ts';
import { type FileLayout, RangeList } from './file-layout.ts';

const HEAD = 0x1a_45_df_a3;
const SEGMENT = 0x18_53_80_67;
const CLUSTER = 0x1f_43_b6_75;
const VOID = 0xec;
/** Info, Tags, Attachments, Chapters, Tracks. */
const METADATA = new Set([0x15_49_a9_66, 0x12_54_c3_67, 0x19_41_a4_69, 0x10_43_a7_70, 0x16_54_ae_6b]);
/** SeekHead, Cues, checksums, and the parts of clusters: Timestamp, Position, PrevSize, SimpleBlock, BlockGroup, EncryptedBlock, SilentTracks. */
const PARTS = new Set([0x11_4d_9b_74, 0x1c_53_bb_6b, 0xbf, 0xe7, 0xa7, 0xab, 0xa3, 0xa0, 0xaf, 0x58_54]);

/**
 * Matroska is a head and a segment of clusters. Recorders leave the lengths of segment and clusters open, and some
 * put several recordings into one file. @throws {MediaError}
 */
export async function ebmlLayout(reader: ByteReader): Promise<FileLayout> {
  const metadata = new RangeList(reader.size_bytes);
  const fillers = new RangeList();
  let at = 0;
  let hasSegment = false;
  /** 0: outside of a segment, or in one of unknown length. */
  let knownEnd = 0;
  for (let part = 0; at < reader.size_bytes; part += 1) {
    if (part === MAX_PARTS) throw tooManyPartsError();
    const isInside = at < knownEnd;
    const id = await readNumber(reader, at, false);
    const length = id && (await readNumber(reader, at + id.width, true));
    if ((!id || !length) && isInside) {
      at = knownEnd;
      continue;
    }
    if (!id || !length) break;
    const start = at + id.width + length.width;
    const end = length.unknown ? reader.size_bytes : start + length.value;
    const isKnown = id.value === HEAD || id.value === SEGMENT || id.value === CLUSTER || PARTS.has(id.value);
    if (!isKnown && !isInside && !METADATA.has(id.value) && id.value !== VOID) break;
    if (end > reader.size_bytes) throw truncatedFileError();
    if (id.value === SEGMENT) {
      hasSegment = true;
      knownEnd = length.unknown ? 0 : end;
    }
    if (METADATA.has(id.value)) metadata.add(start, end);
    else if (!isKnown) fillers.add(start, end);
    at = id.value === SEGMENT || (id.value === CLUSTER && length.unknown) ? start : end;
  }
  if (!hasSegment) throw truncatedFileError();
  return { metadata: metadata.ranges, fillers: fillers.ranges, end: at };
}

interface EbmlNumber {
  value: number;
  width: number;
  unknown: boolean;
}

/** Reads a variable-length number: leading zero bits give its size, all ones mean unknown. */
async function readNumber(reader: ByteReader, at: number, dropMarker: boolean): Promise<EbmlNumber | undefined> {
  const bytes = await reader.bytes(at, 8);
  const first = bytes[0];
  if (first === undefined || first === 0) return undefined;
  const width = Math.clz32(first) - 23;
  if (bytes.length < width) return undefined;
  const marker = 0x80 >> (width - 1);
  let value = dropMarker ? first & (marker - 1) : first;
  let unknown = (first & (marker - 1)) === marker - 1;
  for (const byte of bytes.subarray(1, width)) {
    value = value * 256 + byte;
    unknown &&= byte === 0xff;
  }
  return { value, width, unknown };
}
