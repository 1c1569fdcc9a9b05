import { appendFile, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import {
  detectMarkFormat,
  ID3_HEAD_BYTES,
  JPEG_XMP_ID,
  MARK_CHUNKS,
  type MarkFormat,
  PNG_XMP_KEYWORD,
  readSyncsafe,
  XMP_BOX_ID,
} from './read-marks.ts';

/** @returns whether the file has room for it */
type Writer = (file: string, xmp: Buffer) => Promise<boolean>;

const WRITERS: Readonly<Record<MarkFormat, Writer>> = {
  png: writePng,
  jpeg: writeJpeg,
  webp: writeWebp,
  wav: writeWav,
  bmff: writeBoxes,
  id3: writeId3,
};

/** Adds a packet to a file that this service encoded and that has none. @returns whether the file can hold it */
export async function writeXmp(file: string, xmp: Buffer): Promise<boolean> {
  const head = await readHead(file);
  // Without a tag, an MP3 starts with a frame.
  const format = detectMarkFormat(head) ?? (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 ? 'id3' : undefined);
  return format ? WRITERS[format](file, xmp) : false;
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The signature and the header chunk of a PNG. */
const PNG_HEAD_BYTES = 8 + 25;

async function writePng(file: string, xmp: Buffer): Promise<boolean> {
  const bytes = await readFile(file);
  const chunk = (type: string, data: Buffer): Buffer => {
    const typed = Buffer.concat([latin1(type), data]);
    return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
  };
  await writeFile(
    file,
    Buffer.concat([
      bytes.subarray(0, PNG_HEAD_BYTES),
      chunk('iTXt', Buffer.concat([PNG_XMP_KEYWORD, Buffer.alloc(4), xmp])),
      bytes.subarray(PNG_HEAD_BYTES),
    ]),
  );
  return true;
}

const MAX_SEGMENT_BYTES = 65_533;

async function writeJpeg(file: string, xmp: Buffer): Promise<boolean> {
  const bytes = await readFile(file);
  const packet = Buffer.concat([JPEG_XMP_ID, xmp]);
  if (packet.length > MAX_SEGMENT_BYTES) return false;
  const head = Buffer.from([0xff, 0xe1, 0, 0]);
  head.writeUInt16BE(packet.length + 2, 2);
  // JFIF asks to be first.
  const start = bytes[3] === 0xe0 ? 4 + bytes.readUInt16BE(4) : 2;
  await writeFile(file, Buffer.concat([bytes.subarray(0, start), head, packet, bytes.subarray(start)]));
  return true;
}

function riffChunk(id: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([latin1(id), length, data, Buffer.alloc(data.length % 2)]);
}

async function writeWebp(file: string, xmp: Buffer): Promise<boolean> {
  const bytes = await readFile(file);
  const chunks = bytes.subarray(12);
  const head = extendedHead(chunks);
  if (!head) return false;
  head[8] = (head[8] ?? 0) | XMP_FLAG;
  const isExtended = chunks.toString('latin1', 0, 4) === 'VP8X';
  const body = Buffer.concat([
    latin1('WEBP'),
    head,
    isExtended ? chunks.subarray(head.length) : chunks,
    riffChunk(MARK_CHUNKS.webp.xmp, xmp),
  ]);
  await writeFile(file, riffChunk('RIFF', body));
  return true;
}

const XMP_FLAG = 0x04;
const ALPHA_FLAG = 0x10;

/** The chunk that says which others follow, as a copy; made from the size of the picture if there is none. */
function extendedHead(chunks: Buffer): Buffer | null {
  const kind = chunks.toString('latin1', 0, 4);
  if (kind === 'VP8X') return Buffer.from(chunks.subarray(0, 18));
  const data = Buffer.alloc(10);
  if (kind === 'VP8L') {
    const bits = chunks.readUInt32LE(9);
    data[0] = ((bits >>> 28) & 1) === 1 ? ALPHA_FLAG : 0;
    data.writeUIntLE(bits & 0x3f_ff, 4, 3);
    data.writeUIntLE((bits >>> 14) & 0x3f_ff, 7, 3);
  } else if (kind === 'VP8 ') {
    data.writeUIntLE((chunks.readUInt16LE(14) & 0x3f_ff) - 1, 4, 3);
    data.writeUIntLE((chunks.readUInt16LE(16) & 0x3f_ff) - 1, 7, 3);
  } else return null;
  return riffChunk('VP8X', data);
}

const MAX_RIFF_BYTES = 0xff_ff_ff_ff;

async function writeWav(file: string, xmp: Buffer): Promise<boolean> {
  const { size } = await stat(file);
  const added = Buffer.concat([Buffer.alloc(size % 2), riffChunk(MARK_CHUNKS.wav.xmp, xmp)]);
  const length = size + added.length - 8;
  if (length > MAX_RIFF_BYTES) return false;
  await appendFile(file, added);
  const handle = await open(file, 'r+');
  try {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(length);
    await handle.write(bytes, 0, 4, 4);
  } finally {
    await handle.close();
  }
  return true;
}

/** At the end, because boxes before the media would move every offset into it. */
async function writeBoxes(file: string, xmp: Buffer): Promise<boolean> {
  const box = Buffer.concat([latin1('uuid'), XMP_BOX_ID, xmp]);
  await appendFile(file, Buffer.concat([uint32(box.length + 4), box]));
  return true;
}

const ID3_V24 = 4;
const syncsafe = (value: number): Buffer =>
  Buffer.from([21, 14, 7, 0].map((shift) => Math.floor(value / 2 ** shift) & 0x7f));

async function writeId3(file: string, xmp: Buffer): Promise<boolean> {
  const head = await readHead(file);
  const hasTag = head.toString('latin1', 0, 3) === 'ID3';
  const version = hasTag ? (head[3] ?? ID3_V24) : ID3_V24;
  const oldBytes = hasTag ? ID3_HEAD_BYTES + readSyncsafe(head, 6) : 0;
  const data = Buffer.concat([latin1('XMP\0'), xmp]);
  const dataSize = version === ID3_V24 ? syncsafe(data.length) : uint32(data.length);
  // Before the old frames, because padding may follow them.
  const frame = Buffer.concat([latin1('PRIV'), dataSize, Buffer.alloc(2), data]);
  const size = syncsafe(Math.max(0, oldBytes - ID3_HEAD_BYTES) + frame.length);
  const newHead = Buffer.concat([latin1('ID3'), Buffer.from([version, 0, 0]), size]);
  const target = `${file}.marked`;
  const start = hasTag ? ID3_HEAD_BYTES : 0;
  const rest = createReadStream(file, { start });
  await pipeline(Readable.from(joined([newHead, frame], rest)), createWriteStream(target));
  await rename(target, file);
  return true;
}

async function* joined(heads: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* heads;
  yield* rest;
}
