import { crc32 } from 'node:zlib';
import { id3Tag, manifestStore, markPng } from './marks-fixture.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const box = (type: string, content: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([uint32(content.length + 8), latin1(type), content]);

const repeat = (part: Buffer, count: number): Buffer => Buffer.alloc(part.length * count, part);

/** Each box holds the next one. */
function nest(type: string, depth: number): Buffer {
  const heads = Buffer.alloc(8 * depth);
  for (let level = 0; level < depth; level += 1) {
    heads.writeUInt32BE(8 * (depth - level), 8 * level);
    heads.write(type, 8 * level + 4, 'latin1');
  }
  return heads;
}

const FTYP = box('ftyp', Buffer.concat([latin1('isom'), uint32(512), latin1('isommp42')]));

const pngChunk = (type: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const typed = Buffer.concat([latin1(type), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
};
const PNG_HEAD = Buffer.concat([
  latin1('\x89PNG\r\n\x1a\n'),
  pngChunk('IHDR', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
]);
const png = (chunks: Buffer): Buffer => Buffer.concat([PNG_HEAD, chunks, pngChunk('IEND')]);

const riff = (type: string, chunks: Buffer): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(4 + chunks.length);
  return Buffer.concat([latin1('RIFF'), size, latin1(type), chunks]);
};
const EMPTY_CHUNK = latin1('JUNK\0\0\0\0');

function nestLists(depth: number): Buffer {
  const heads = Buffer.alloc(12 * depth);
  for (let level = 0; level < depth; level += 1) {
    heads.write('LIST', 12 * level, 'latin1');
    heads.writeUInt32LE(12 * (depth - level) - 8, 12 * level + 4);
    heads.write('INFO', 12 * level + 8, 'latin1');
  }
  return heads;
}

function id3(frames: Buffer): Buffer {
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (frames.length >>> shift) & 0x7f));
  return Buffer.concat([latin1('ID3\x03\0\0'), size, frames, latin1('\xff\xfb\x90\0'), Buffer.alloc(413)]);
}

const EMPTY_FRAME = latin1('TXXX\0\0\0\0\0\0');
const JPEG_SCAN = latin1('\xff\xda\0\x08\x01\x01\0\0\x3f\0');
const GIF_HEAD = latin1('GIF89a\x01\0\x01\0\0\0\0');

const manifest = (content: Buffer): Buffer => {
  const head = manifestStore('urn:c2pa:bomb');
  head.writeUInt32BE(head.length + content.length, 0);
  return Buffer.concat([head, content]);
};

interface StructureBomb {
  name: string;
  mimeType: string;
  /** @param parts levels where parts are nested */
  create: (parts: number) => Buffer;
}

/** One of each way to put many parts into a file that is searched for content credentials. */
export const STRUCTURE_BOMBS: readonly StructureBomb[] = [
  { name: 'boxes', mimeType: 'video/mp4', create: (parts) => Buffer.concat([FTYP, repeat(box('free'), parts)]) },
  { name: 'QuickTime boxes', mimeType: 'video/quicktime', create: (parts) => repeat(box('wide'), parts) },
  {
    name: 'AVIF boxes',
    mimeType: 'image/avif',
    create: (parts) => Buffer.concat([box('ftyp', latin1('avif\0\0\0\0avif')), repeat(box('free'), parts)]),
  },
  {
    name: 'boxes in a box',
    mimeType: 'video/mp4',
    create: (parts) => Buffer.concat([FTYP, box('moov', repeat(box('free'), parts))]),
  },
  {
    name: 'nested boxes',
    mimeType: 'audio/mp4',
    create: (parts) => Buffer.concat([FTYP, box('moov', nest('udta', parts))]),
  },
  { name: 'PNG chunks', mimeType: 'image/png', create: (parts) => png(repeat(pngChunk('tEXt'), parts)) },
  {
    name: 'JPEG segments',
    mimeType: 'image/jpeg',
    create: (parts) =>
      Buffer.concat([latin1('\xff\xd8'), repeat(latin1('\xff\xe1\0\x02'), parts), JPEG_SCAN, latin1('\xff\xd9')]),
  },
  {
    name: 'JPEG segments after a scan',
    mimeType: 'image/jpeg',
    create: (parts) =>
      Buffer.concat([latin1('\xff\xd8'), JPEG_SCAN, repeat(latin1('\0\xff\xe1\0\x02'), parts), latin1('\xff\xd9')]),
  },
  { name: 'WebP chunks', mimeType: 'image/webp', create: (parts) => riff('WEBP', repeat(EMPTY_CHUNK, parts)) },
  { name: 'WAV chunks', mimeType: 'audio/wav', create: (parts) => riff('WAVE', repeat(EMPTY_CHUNK, parts)) },
  { name: 'nested WAV lists', mimeType: 'audio/wav', create: (parts) => riff('WAVE', nestLists(parts)) },
  {
    name: 'GIF blocks',
    mimeType: 'image/gif',
    create: (parts) => Buffer.concat([GIF_HEAD, repeat(latin1('\x21\xfe\0'), parts), latin1(';')]),
  },
  {
    name: 'GIF data',
    mimeType: 'image/gif',
    create: (parts) => Buffer.concat([GIF_HEAD, latin1('\x21\xfe'), repeat(latin1('\x01x'), parts), latin1('\0;')]),
  },
  { name: 'ID3 frames', mimeType: 'audio/mpeg', create: (parts) => id3(repeat(EMPTY_FRAME, parts)) },
  {
    name: 'boxes of a manifest',
    mimeType: 'image/png',
    create: (parts) => markPng(png(Buffer.alloc(0)), { c2pa: manifest(repeat(box('free'), parts)) }),
  },
  {
    name: 'nested boxes of a manifest',
    mimeType: 'audio/mpeg',
    create: (parts) =>
      Buffer.concat([id3Tag({ c2pa: manifest(nest('jumb', parts)) }), latin1('\xff\xfb\x90\0'), Buffer.alloc(413)]),
  },
];
