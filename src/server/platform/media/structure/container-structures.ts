import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import { assertNoForeignText } from '#server/platform/media/foreign-content.ts';
import {
  damagedFileError,
  foreignContentError,
  tooManyPartsError,
  truncatedFileError,
} from '#server/platform/media/media-error.ts';

/** Content can hide in boxes that players skip. */
const FREE_FORM_BOXES = new Set(['free', 'skip', 'wide', 'uuid', 'udta', 'meta', 'junk', 'pnot']);
const SCANNED_BYTES = 65_536;
/** A recording in fragments has two for each, so more than a day of seconds. */
const MAX_BOXES = 200_000;

/** An MP4, MOV or AVIF is a sequence of boxes that ends with the file. @throws {MediaError} */
export async function checkBoxes(reader: ByteReader): Promise<void> {
  let at = 0;
  for (let part = 0; part < MAX_BOXES; part += 1) {
    if (at === reader.size_bytes) return;
    const head = await reader.bytes(at, 16);
    if (head.every((byte) => byte === 0)) return assertOnlyZeros(reader, at);
    if (head.length < 8) throw at === 0 ? truncatedFileError() : foreignContentError();
    const type = head.toString('latin1', 4, 8);
    if (!/^[\x20-\x7e©]{4}$/.test(type)) throw foreignContentError();
    const length = boxLength(head, reader.size_bytes - at);
    if (FREE_FORM_BOXES.has(type)) assertNoForeignText(await reader.bytes(at + 8, Math.min(length - 8, SCANNED_BYTES)));
    at += length;
    if (at > reader.size_bytes) throw truncatedFileError();
  }
  throw tooManyPartsError();
}

function boxLength(head: Buffer, rest: number): number {
  const stated = head.readUInt32BE(0);
  if (stated === 0) return rest;
  if (stated >= 8) return stated;
  if (stated !== 1 || head.length < 16) throw damagedFileError();
  const wide = Number(head.readBigUInt64BE(8));
  if (wide < 16) throw damagedFileError();
  return wide;
}

/** Some recorders pad the end of a file. */
async function assertOnlyZeros(reader: ByteReader, start: number): Promise<void> {
  for (let at = start; at < reader.size_bytes;) {
    const bytes = await reader.bytes(at, SCANNED_BYTES);
    if (bytes.length === 0) return;
    if (bytes.some((byte) => byte !== 0)) throw foreignContentError();
    at += bytes.length;
  }
}

const SEGMENT = 0x18_53_80_67;
const MAX_TOP_LEVEL = 64;

/** Matroska is an EBML header and a segment of the stated length, which recorders leave open. @throws {MediaError} */
export async function checkEbml(reader: ByteReader): Promise<void> {
  let at = 0;
  let sawSegment = false;
  for (let part = 0; part < MAX_TOP_LEVEL; part += 1) {
    if (at === reader.size_bytes) {
      if (!sawSegment) throw truncatedFileError();
      return;
    }
    const id = await readNumber(reader, at, false);
    if (!id) throw sawSegment ? foreignContentError() : truncatedFileError();
    const length = await readNumber(reader, at + id.width, true);
    if (!length) throw sawSegment ? foreignContentError() : truncatedFileError();
    if (id.value === SEGMENT) sawSegment = true;
    else if (sawSegment) throw foreignContentError();
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

const PAGE_HEAD_BYTES = 27;
const LARGEST_PAGE_BYTES = 65_307;

/** The last page of an Ogg file is complete and ends the file. @throws {MediaError} */
export async function checkOgg(reader: ByteReader): Promise<void> {
  const tail = await reader.bytes(Math.max(0, reader.size_bytes - LARGEST_PAGE_BYTES), LARGEST_PAGE_BYTES);
  const last = tail.lastIndexOf('OggS', undefined, 'latin1');
  if (last < 0) throw foreignContentError();
  const page = tail.subarray(last);
  const segments = page[26];
  if (segments === undefined || page.length < PAGE_HEAD_BYTES + segments) throw truncatedFileError();
  const lacing = page.subarray(PAGE_HEAD_BYTES, PAGE_HEAD_BYTES + segments);
  const end = PAGE_HEAD_BYTES + segments + lacing.reduce((sum, bytes) => sum + bytes, 0);
  if (end > page.length) throw truncatedFileError();
  if (end < page.length) throw foreignContentError();
}

const HEAD_BYTES = 8;
/** Written by streaming programs, which can't go back to fill in the size. */
const UNKNOWN_SIZES = new Set([0, 0xff_ff_ff_ff, 0x7f_ff_ff_ff]);

/** @param exact nothing may follow; otherwise programs append their own tags @throws {MediaError} */
export async function checkRiff(reader: ByteReader, exact: boolean): Promise<void> {
  const head = await reader.bytes(0, HEAD_BYTES);
  if (head.length < HEAD_BYTES) throw truncatedFileError();
  const stated = head.readUInt32LE(4);
  if (!exact && UNKNOWN_SIZES.has(stated)) return;
  const end = HEAD_BYTES + stated;
  if (end > reader.size_bytes) throw truncatedFileError();
  if (exact && reader.size_bytes > end + (end % 2)) throw foreignContentError();
}
