import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import { damagedFileError, tooManyPartsError, truncatedFileError } from '#server/platform/media/media-error.ts';
import { type FileLayout, type Range, RangeList } from './file-layout.ts';
import { metadataItems } from './item-locations.ts';

/** Players skip these. */
const FILLERS = new Set(['free', 'skip', 'wide', 'junk', 'pnot']);
const METADATA = new Set(['uuid', 'udta', 'meta', 'emsg']);
/** Boxes that hold boxes with metadata. */
const CONTAINERS = new Set(['moov', 'trak']);
/** Of a file, any of which can be cut off. Other text that looks like a long box is a note after its end. */
const FILE_PARTS = new Set('ftyp styp moov mdat moof mfra meta uuid free skip wide sidx ssix emsg prft'.split(' '));
/** A recording in fragments has two for each, so more than a day of seconds. */
const MAX_BOXES = 200_000;
const MAX_DEPTH = 2;

interface Walk {
  reader: ByteReader;
  metadata: RangeList;
  fillers: RangeList;
  boxesLeft: number;
}

/** An MP4, MOV or AVIF is a sequence of boxes. @param start of the first box @throws {MediaError} */
export async function boxLayout(reader: ByteReader, start = 0): Promise<FileLayout> {
  const walk: Walk = {
    reader,
    metadata: new RangeList(reader.size_bytes),
    fillers: new RangeList(),
    boxesLeft: MAX_BOXES,
  };
  const end = await walkBoxes(walk, { start, end: reader.size_bytes }, 0);
  if (end === start) throw truncatedFileError();
  return { metadata: walk.metadata.ranges, fillers: walk.fillers.ranges, end };
}

/** @returns the end of the last box: what follows it is none */
async function walkBoxes(walk: Walk, { start, end }: Range, depth: number): Promise<number> {
  const { reader } = walk;
  for (let at = start; ; walk.boxesLeft -= 1) {
    if (walk.boxesLeft < 0) throw tooManyPartsError();
    const head = await reader.bytes(at, Math.min(16, end - at));
    const type = head.toString('latin1', 4, 8);
    if (head.length < 8 || !/^[\x20-\x7e©]{4}$/.test(type)) return at;
    const { headBytes, length } = boxSize(head, end - at);
    const content = { start: at + headBytes, end: at + length };
    // A box that ends outside of its container is for the decoder to judge.
    if (content.end > end && depth === 0 && (FILE_PARTS.has(type) || at === start)) throw truncatedFileError();
    if (content.end > end) return at;
    if (FILLERS.has(type)) walk.fillers.add(content.start, content.end);
    if (METADATA.has(type)) walk.metadata.add(content.start, content.end);
    if (type === 'meta' && depth === 0)
      for (const item of await metadataItems(reader, content)) walk.metadata.add(item.start, item.end);
    if (CONTAINERS.has(type) && depth < MAX_DEPTH) await walkBoxes(walk, content, depth + 1);
    at = content.end;
  }
}

function boxSize(head: Buffer, rest: number): { headBytes: number; length: number } {
  const stated = head.readUInt32BE(0);
  if (stated === 0) return { headBytes: 8, length: rest };
  if (stated >= 8) return { headBytes: 8, length: stated };
  if (stated !== 1 || head.length < 16) throw damagedFileError();
  const length = Number(head.readBigUInt64BE(8));
  if (length < 16) throw damagedFileError();
  return { headBytes: 16, length };
}
