import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import type { Format, FormatName, FORMATS } from '#server/platform/media/formats.ts';
import { readSyncsafe } from '#server/platform/media/marks/read-marks.ts';

/** The library of content credentials reads a million in a second or two. */
const MAX_PARTS = 100_000;
/** It reads boxes in the square of their number: 20,000 in two seconds. */
const BOX_COST = 5;
const MAX_DEPTH = 32;

/** The file is not damaged, but made of more parts than are read. */
export class TooManyPartsError extends Error {
  constructor() {
    super('The file has too many parts.');
  }
}

export class PartBudget {
  #left: number;

  constructor(parts = MAX_PARTS) {
    this.#left = parts;
  }

  /** @throws {TooManyPartsError} */
  take(parts = 1): void {
    this.#left -= parts;
    if (this.#left < 0) throw new TooManyPartsError();
  }
}

interface Range {
  start: number;
  end: number;
}

type Walk = (reader: ByteReader, budget: PartBudget) => Promise<void>;

type MimeType = { [Name in FormatName]: MimeTypesOf<(typeof FORMATS)[Name]> }[FormatName];
type MimeTypesOf<F extends Format> =
  | F['mime_type']
  | (F extends { audioOnly: { mime_type: infer AudioType extends string } } ? AudioType : never);

const walkAllBoxes: Walk = (reader, budget) => walkBoxes(reader, wholeFile(reader), budget);
const walkChunks: Walk = (reader, budget) => walkRiff(reader, wholeFile(reader), budget);
const wholeFile = ({ size_bytes }: ByteReader): Range => ({ start: 0, end: size_bytes });

/** null: not searched for content credentials. */
const WALKS = {
  'image/png': walkPng,
  'image/jpeg': walkJpeg,
  'image/webp': walkChunks,
  'image/gif': walkGif,
  'image/avif': walkAllBoxes,
  'video/mp4': walkAllBoxes,
  'video/quicktime': walkAllBoxes,
  'audio/mp4': walkAllBoxes,
  'audio/mpeg': walkId3,
  'audio/wav': walkChunks,
  'video/webm': null,
  'audio/webm': null,
  'video/x-matroska': null,
  'audio/x-matroska': null,
  'audio/aac': null,
  'audio/flac': null,
  'audio/ogg': null,
} as const satisfies Record<MimeType, Walk | null>;

const isWalked = (mimeType: string): mimeType is MimeType => Object.hasOwn(WALKS, mimeType);

/** Walks all parts of a file, nested ones too, and stops where it is damaged. @throws {TooManyPartsError} */
export async function walkStructure(reader: ByteReader, mimeType: string): Promise<void> {
  if (isWalked(mimeType)) await WALKS[mimeType]?.(reader, new PartBudget());
}

async function walkPng(reader: ByteReader, budget: PartBudget): Promise<void> {
  for (let at = 8; at + 8 <= reader.size_bytes;) {
    budget.take();
    at += 12 + (await reader.bytes(at, 8)).readUInt32BE(0);
  }
}

/** Little, so that the next bytes are in memory already. */
const SCANNED_BYTES = 512;
/** Ordinary data consist of such parts: restarts of a JPEG, and large blocks of a GIF. */
const DATA_PART_COST = 0.1;

/** Segments also follow each other after the start of a scan, whose data has no other markers than restarts. */
async function walkJpeg(reader: ByteReader, budget: PartBudget): Promise<void> {
  for (let at = 2; at + 2 <= reader.size_bytes;) {
    const window = await reader.bytes(at, SCANNED_BYTES);
    const prefix = window.indexOf(0xff);
    const marker = window[prefix + 1];
    if (prefix < 0 || marker === undefined) {
      at += prefix < 0 ? window.length : Math.max(prefix, 1);
      continue;
    }
    at += prefix + 1;
    if (marker === 0xff || marker === 0) continue;
    const isStandalone = marker === 1 || (marker >= 0xd0 && marker <= 0xd9);
    budget.take(isStandalone ? DATA_PART_COST : 1);
    at += 1;
    if (isStandalone) continue;
    const length = await reader.bytes(at, 2);
    if (length.length === 2) at += Math.max(2, length.readUInt16BE(0));
  }
}

async function walkGif(reader: ByteReader, budget: PartBudget): Promise<void> {
  const tableBytes = (packed = 0): number => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1));
  let at = 13 + tableBytes((await reader.bytes(10, 1))[0]);
  for (;;) {
    budget.take();
    const kind = (await reader.bytes(at, 1))[0];
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 10 + tableBytes((await reader.bytes(at + 9, 1))[0]) + 1;
    else return;
    for (let length = (await reader.bytes(at, 1))[0]; length !== 0; length = (await reader.bytes(at, 1))[0]) {
      if (length === undefined) return;
      budget.take(length > 127 ? DATA_PART_COST : 1);
      at += 1 + length;
    }
    at += 1;
  }
}

const RIFF_LISTS = new Set(['RIFF', 'LIST', 'RIFX', 'RF64']);

async function walkRiff(reader: ByteReader, { start, end }: Range, budget: PartBudget, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH) throw new TooManyPartsError();
  for (let at = start; at + 8 <= end;) {
    budget.take();
    const head = await reader.bytes(at, 8);
    if (head.length < 8) return;
    const length = head.readUInt32LE(4);
    const content = { start: at + 12, end: Math.min(at + 8 + length, end) };
    if (RIFF_LISTS.has(head.toString('latin1', 0, 4))) await walkRiff(reader, content, budget, depth + 1);
    at += 8 + length + (length % 2);
  }
}

/** Frames of a tag; the header of a frame has six bytes before version 3. */
async function walkId3(reader: ByteReader, budget: PartBudget): Promise<void> {
  const head = await reader.bytes(0, 10);
  if (head.toString('latin1', 0, 3) !== 'ID3' || head.length < 10) return;
  const version = head[3] ?? 0;
  const end = Math.min(10 + readSyncsafe(head, 6), reader.size_bytes);
  const headBytes = version < 3 ? 6 : 10;
  for (let at = 10; at + headBytes <= end;) {
    budget.take();
    const frame = await reader.bytes(at, headBytes);
    // Padding follows the last frame.
    if (frame[0] === 0) return;
    const size = version < 3 ? frame.readUIntBE(3, 3) : version === 3 ? frame.readUInt32BE(4) : readSyncsafe(frame, 4);
    at += headBytes + size;
  }
}

/** Boxes that hold boxes. */
const CONTAINERS = new Set(
  'moov trak edts mdia minf dinf stbl mvex moof traf mfra udta tref schi sinf iprp ipco ilst treg meta'.split(' '),
);

async function walkBoxes(reader: ByteReader, { start, end }: Range, budget: PartBudget, depth = 0): Promise<void> {
  if (depth > MAX_DEPTH) throw new TooManyPartsError();
  for (let at = start; at + 8 <= end;) {
    budget.take(BOX_COST);
    const head = await reader.bytes(at, 16);
    if (head.length < 8) return;
    const stated = head.readUInt32BE(0);
    const isWide = stated === 1 && head.length === 16;
    const length = isWide ? Number(head.readBigUInt64BE(8)) : stated === 0 ? end - at : stated;
    const headBytes = isWide ? 16 : 8;
    if (length < headBytes) return;
    const next = Math.min(at + length, end);
    const type = head.toString('latin1', 4, 8);
    // This one has a version and flags before its first box.
    const inner = at + headBytes + (type === 'meta' ? 4 : 0);
    if (CONTAINERS.has(type)) await walkBoxes(reader, { start: inner, end: next }, budget, depth + 1);
    at = next;
  }
}
