import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import { MAX_PARTS, tooManyPartsError, truncatedFileError } from '#server/platform/media/media-error.ts';
import { readSyncsafe } from '#server/platform/media/marks/read-marks.ts';
import { type FileLayout, type Range, RangeList } from './file-layout.ts';

const ID3_HEAD_BYTES = 10;
const MAX_TAGS = 8;

/** MP3 and AAC are frames between tags, and have no end. */
export async function frameLayout(reader: ByteReader): Promise<FileLayout> {
  return { metadata: [...(await leadingTags(reader)), ...(await trailingTags(reader))], fillers: [], end: null };
}

const LAST_BLOCK = 0x80;
const FLAC_PADDING = 1;

/** FLAC has blocks of metadata before its frames, and some programs add tags of MP3. */
export async function flacLayout(reader: ByteReader): Promise<FileLayout> {
  const tags = await leadingTags(reader);
  const metadata = new RangeList(reader.size_bytes);
  const fillers = new RangeList();
  for (const { start, end } of tags) metadata.add(start, end);
  let at = (tags.at(-1)?.end ?? 0) + 4;
  for (let isLast = false; !isLast;) {
    const head = await reader.bytes(at, 4);
    if (head.length < 4) throw truncatedFileError();
    const kind = head.readUInt8(0);
    const end = at + 4 + head.readUIntBE(1, 3);
    isLast = (kind & LAST_BLOCK) !== 0;
    ((kind & ~LAST_BLOCK) === FLAC_PADDING ? fillers : metadata).add(at + 4, end);
    at = end;
  }
  for (const { start, end } of await trailingTags(reader)) metadata.add(start, end);
  return { metadata: metadata.ranges, fillers: fillers.ranges, end: null };
}

/** ID3v2 tags, one after the other. */
async function leadingTags(reader: ByteReader): Promise<Range[]> {
  const tags: Range[] = [];
  for (let start = 0; tags.length < MAX_TAGS;) {
    const head = await reader.bytes(start, ID3_HEAD_BYTES);
    if (head.length < ID3_HEAD_BYTES || head.toString('latin1', 0, 3) !== 'ID3') break;
    const hasFooter = ((head[5] ?? 0) & 0x10) !== 0;
    const end = start + ID3_HEAD_BYTES + readSyncsafe(head, 6) + (hasFooter ? ID3_HEAD_BYTES : 0);
    tags.push({ start, end });
    start = end;
  }
  return tags;
}

/** Each finds its tag before the end of what is left, or returns null. */
const TRAILING_TAGS: readonly ((reader: ByteReader, end: number) => Promise<number | null>)[] = [
  findId3v1,
  findApe,
  findLyrics,
  findId3Footer,
];

/** Tags at the end of a file, in its order. */
export async function trailingTags(reader: ByteReader): Promise<Range[]> {
  const tags: Range[] = [];
  let end = reader.size_bytes;
  for (let found = true; found && tags.length < MAX_TAGS;) {
    found = false;
    for (const find of TRAILING_TAGS) {
      const start = await find(reader, end);
      if (start === null || start < 0 || start >= end) continue;
      tags.unshift({ start, end });
      end = start;
      found = true;
    }
  }
  return tags;
}

const startsWith = async (reader: ByteReader, at: number, text: string): Promise<boolean> =>
  at >= 0 && (await reader.bytes(at, text.length)).toString('latin1') === text;

async function findId3v1(reader: ByteReader, end: number): Promise<number | null> {
  if (!(await startsWith(reader, end - 128, 'TAG'))) return null;
  return (await startsWith(reader, end - 128 - 227, 'TAG+')) ? end - 128 - 227 : end - 128;
}

async function findApe(reader: ByteReader, end: number): Promise<number | null> {
  if (!(await startsWith(reader, end - 32, 'APETAGEX'))) return null;
  const footer = await reader.bytes(end - 32, 32);
  const hasHead = (footer.readUInt32LE(20) & 0x80_00_00_00) !== 0;
  return end - footer.readUInt32LE(12) - (hasHead ? 32 : 0);
}

/** Its size has six digits and does not count itself. */
async function findLyrics(reader: ByteReader, end: number): Promise<number | null> {
  if (!(await startsWith(reader, end - 9, 'LYRICS200'))) return null;
  const size = Number((await reader.bytes(end - 15, 6)).toString('latin1'));
  return Number.isInteger(size) ? end - 15 - size : null;
}

async function findId3Footer(reader: ByteReader, end: number): Promise<number | null> {
  if (!(await startsWith(reader, end - ID3_HEAD_BYTES, '3DI'))) return null;
  return end - 2 * ID3_HEAD_BYTES - readSyncsafe(await reader.bytes(end - ID3_HEAD_BYTES, ID3_HEAD_BYTES), 6);
}

const PAGE_HEAD_BYTES = 27;

/** An Ogg is a sequence of whole pages; those at position 0 are headers with comments and covers. @throws {MediaError} */
export async function oggLayout(reader: ByteReader): Promise<FileLayout> {
  const metadata = new RangeList(reader.size_bytes);
  let at = 0;
  for (let part = 0; at < reader.size_bytes; part += 1) {
    if (part === MAX_PARTS) throw tooManyPartsError();
    const head = await reader.bytes(at, PAGE_HEAD_BYTES);
    if (head.toString('latin1', 0, 4) !== 'OggS') break;
    const segments = head[PAGE_HEAD_BYTES - 1] ?? 0;
    const lacing = await reader.bytes(at + PAGE_HEAD_BYTES, segments);
    const start = at + PAGE_HEAD_BYTES + segments;
    const end = start + lacing.reduce((sum, bytes) => sum + bytes, 0);
    if (head.length < PAGE_HEAD_BYTES || end > reader.size_bytes || lacing.length < segments)
      throw truncatedFileError();
    const position = head.readBigInt64LE(6);
    // Pages of which no packet ends have the position -1: a large cover takes many.
    if (position === 0n || position === -1n) metadata.add(start, end);
    at = end;
  }
  for (const tag of await trailingTags(reader)) metadata.add(tag.start, tag.end);
  return { metadata: metadata.ranges, fillers: [], end: at };
}
