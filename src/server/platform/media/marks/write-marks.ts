import { appendFile, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import {
  C2PA_BOX_ID,
  detectMarkFormat,
  type FileMark,
  ID3_HEAD_BYTES,
  JPEG_XMP_ID,
  MARK_CHUNKS,
  type MarkFormat,
  PNG_XMP_KEYWORD,
  readSyncsafe,
  XMP_BOX_ID,
} from './read-marks.ts';

type NewMarks = Partial<Record<FileMark, Buffer>>;
/** @returns the marks that the file has no room for */
type Writer = (file: string, marks: NewMarks) => Promise<FileMark[]>;

const WRITERS: Readonly<Record<MarkFormat, Writer>> = {
  png: writePng,
  jpeg: writeJpeg,
  webp: writeWebp,
  wav: writeWav,
  bmff: writeBoxes,
  id3: writeId3,
};

/** Adds marks to a file that this service encoded and that has none of them. @returns those that it can't carry */
export async function writeMarks(file: string, marks: NewMarks): Promise<FileMark[]> {
  const head = await readHead(file);
  // Without a tag, an MP3 starts with a frame.
  const format = detectMarkFormat(head) ?? (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0 ? 'id3' : undefined);
  return format ? WRITERS[format](file, marks) : (Object.keys(marks) as FileMark[]);
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

async function writePng(file: string, { c2pa, xmp }: NewMarks): Promise<FileMark[]> {
  const bytes = await readFile(file);
  const chunk = (type: string, data: Buffer): Buffer => {
    const typed = Buffer.concat([latin1(type), data]);
    return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
  };
  await writeFile(
    file,
    Buffer.concat([
      bytes.subarray(0, PNG_HEAD_BYTES),
      ...(c2pa ? [chunk('caBX', c2pa)] : []),
      ...(xmp ? [chunk('iTXt', Buffer.concat([PNG_XMP_KEYWORD, Buffer.alloc(4), xmp]))] : []),
      bytes.subarray(PNG_HEAD_BYTES),
    ]),
  );
  return [];
}

const MAX_SEGMENT_BYTES = 65_533;
/** `JP`, a number of the box, a number of the segment, then the length and type of the box. */
const MAX_JUMBF_PART_BYTES = MAX_SEGMENT_BYTES - 16;

async function writeJpeg(file: string, { c2pa, xmp }: NewMarks): Promise<FileMark[]> {
  const bytes = await readFile(file);
  const segment = (marker: number, data: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const segments: Buffer[] = [];
  const fits = !xmp || JPEG_XMP_ID.length + xmp.length <= MAX_SEGMENT_BYTES;
  if (xmp && fits) segments.push(segment(0xe1, Buffer.concat([JPEG_XMP_ID, xmp])));
  const store = c2pa ?? Buffer.alloc(0);
  const [boxHead, content] = [store.subarray(0, 8), store.subarray(8)];
  for (let at = 0; at < content.length; at += MAX_JUMBF_PART_BYTES) {
    const number = Buffer.concat([latin1('JP'), Buffer.from([2, 17]), uint32(at / MAX_JUMBF_PART_BYTES + 1)]);
    segments.push(segment(0xeb, Buffer.concat([number, boxHead, content.subarray(at, at + MAX_JUMBF_PART_BYTES)])));
  }
  // JFIF asks to be first.
  const start = bytes[3] === 0xe0 ? 4 + bytes.readUInt16BE(4) : 2;
  await writeFile(file, Buffer.concat([bytes.subarray(0, start), ...segments, bytes.subarray(start)]));
  return fits ? [] : ['xmp'];
}

function riffChunk(id: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([latin1(id), length, data, Buffer.alloc(data.length % 2)]);
}

async function writeWebp(file: string, { c2pa, xmp }: NewMarks): Promise<FileMark[]> {
  const bytes = await readFile(file);
  const chunks = bytes.subarray(12);
  const head = extendedHead(chunks);
  if (!head) return [...(c2pa ? (['c2pa'] as const) : []), ...(xmp ? (['xmp'] as const) : [])];
  if (xmp) head[8] = (head[8] ?? 0) | XMP_FLAG;
  const isExtended = chunks.toString('latin1', 0, 4) === 'VP8X';
  const body = Buffer.concat([
    latin1('WEBP'),
    head,
    isExtended ? chunks.subarray(head.length) : chunks,
    ...(xmp ? [riffChunk(MARK_CHUNKS.webp.xmp, xmp)] : []),
    ...(c2pa ? [riffChunk(MARK_CHUNKS.webp.c2pa, c2pa)] : []),
  ]);
  await writeFile(file, riffChunk('RIFF', body));
  return [];
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

async function writeWav(file: string, { c2pa, xmp }: NewMarks): Promise<FileMark[]> {
  const { size } = await stat(file);
  const added = Buffer.concat([
    Buffer.alloc(size % 2),
    ...(xmp ? [riffChunk(MARK_CHUNKS.wav.xmp, xmp)] : []),
    ...(c2pa ? [riffChunk(MARK_CHUNKS.wav.c2pa, c2pa)] : []),
  ]);
  const length = size + added.length - 8;
  if (length > MAX_RIFF_BYTES) return [...(c2pa ? (['c2pa'] as const) : []), ...(xmp ? (['xmp'] as const) : [])];
  await appendFile(file, added);
  const handle = await open(file, 'r+');
  try {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(length);
    await handle.write(bytes, 0, 4, 4);
  } finally {
    await handle.close();
  }
  return [];
}

/** At the end, because boxes before the media would move every offset into it. */
async function writeBoxes(file: string, { c2pa, xmp }: NewMarks): Promise<FileMark[]> {
  const box = (...parts: readonly Buffer[]): Buffer => {
    const data = Buffer.concat([latin1('uuid'), ...parts]);
    return Buffer.concat([uint32(data.length + 4), data]);
  };
  const purpose = Buffer.concat([Buffer.alloc(4), latin1('manifest\0'), Buffer.alloc(8)]);
  await appendFile(
    file,
    Buffer.concat([...(c2pa ? [box(C2PA_BOX_ID, purpose, c2pa)] : []), ...(xmp ? [box(XMP_BOX_ID, xmp)] : [])]),
  );
  return [];
}

const ID3_V24 = 4;
const C2PA_OBJECT_HEAD = latin1('\0application/c2pa\0c2pa\0c2pa manifest store\0');

const syncsafe = (value: number): Buffer =>
  Buffer.from([21, 14, 7, 0].map((shift) => Math.floor(value / 2 ** shift) & 0x7f));

async function writeId3(file: string, { c2pa, xmp }: NewMarks): Promise<FileMark[]> {
  const head = await readHead(file);
  const hasTag = head.toString('latin1', 0, 3) === 'ID3';
  const version = hasTag ? (head[3] ?? ID3_V24) : ID3_V24;
  const oldBytes = hasTag ? ID3_HEAD_BYTES + readSyncsafe(head, 6) : 0;
  const frame = (id: string, data: Buffer): Buffer => {
    const size = version === ID3_V24 ? syncsafe(data.length) : uint32(data.length);
    return Buffer.concat([latin1(id), size, Buffer.alloc(2), data]);
  };
  // Before the old frames, because padding may follow them.
  const frames = Buffer.concat([
    ...(c2pa ? [frame('GEOB', Buffer.concat([C2PA_OBJECT_HEAD, c2pa]))] : []),
    ...(xmp ? [frame('PRIV', Buffer.concat([latin1('XMP\0'), xmp]))] : []),
  ]);
  const size = syncsafe(Math.max(0, oldBytes - ID3_HEAD_BYTES) + frames.length);
  const newHead = Buffer.concat([latin1('ID3'), Buffer.from([version, 0, 0]), size]);
  const target = `${file}.marked`;
  const start = hasTag ? ID3_HEAD_BYTES : 0;
  const rest = createReadStream(file, { start });
  await pipeline(Readable.from(joined([newHead, frames], rest)), createWriteStream(target));
  await rename(target, file);
  return [];
}

async function* joined(heads: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* heads;
  yield* rest;
}
