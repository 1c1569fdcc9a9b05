import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const data = Buffer.concat([Buffer.from(type, 'latin1'), ...parts]);
  return Buffer.concat([uint32(data.length + 4), data]);
};
const description = (type: string, label: string): Buffer =>
  box(
    'jumd',
    Buffer.from(type, 'latin1'),
    Buffer.from('00110010800000aa00389b71', 'hex'),
    Buffer.from([3]),
    Buffer.from(`${label}\0`),
  );

/** A store of one manifest, of the shape of content credentials but without their claims. */
export const manifestStore = (label: string, contentBytes = 200): Buffer => {
  const content = Buffer.from(Array.from({ length: contentBytes }, (_, at) => (at * 7) % 251));
  return box('jumb', description('c2pa', 'c2pa'), box('jumb', description('c2ma', label), box('bidb', content)));
};

export const xmpPacket = (type: string): Buffer =>
  Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- digitalsourcetype/${type} --></x:xmpmeta>`);

export interface SourceMarks {
  c2pa?: Buffer;
  xmp?: Buffer;
}

/** Adds marks to an MP4 where Adobe's and the C2PA's tools put them. */
export const markMp4 = async (file: string, { c2pa, xmp }: SourceMarks): Promise<void> => {
  const purpose = Buffer.from('\0\0\0\0manifest\0\0\0\0\0\0\0\0\0', 'latin1');
  if (c2pa) await appendFile(file, box('uuid', Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex'), purpose, c2pa));
  if (xmp) await appendFile(file, box('uuid', Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), xmp));
};

const riffChunk = (id: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), uint32(data.length).swap32(), data, Buffer.alloc(data.length % 2)]);

export async function markWav(file: string, { c2pa, xmp }: SourceMarks): Promise<void> {
  const bytes = await readFile(file);
  const chunks = [
    bytes.subarray(8),
    ...(c2pa ? [riffChunk('C2PA', c2pa)] : []),
    ...(xmp ? [riffChunk('_PMX', xmp)] : []),
  ];
  await writeFile(file, riffChunk('RIFF', Buffer.concat(chunks)));
}

/** Adds marks to a WebP with a VP8X chunk, such as one with transparency. */
export const markWebp = (image: Buffer, { c2pa }: SourceMarks): Buffer =>
  riffChunk('RIFF', Buffer.concat([image.subarray(8), ...(c2pa ? [riffChunk('C2PA', c2pa)] : [])]));

export function markPng(image: Buffer, { c2pa }: SourceMarks): Buffer {
  if (!c2pa) return image;
  const typed = Buffer.concat([Buffer.from('caBX'), c2pa]);
  const chunk = Buffer.concat([uint32(c2pa.length), typed, uint32(crc32(typed))]);
  return Buffer.concat([image.subarray(0, 33), chunk, image.subarray(33)]);
}

/** With the store in segments of 60,000 bytes. */
export function markJpeg(image: Buffer, { c2pa, iptc }: SourceMarks & { iptc?: Buffer }): Buffer {
  const segment = (marker: number, data: Buffer): Buffer => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const segments: Buffer[] = iptc ? [segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\0'), iptc]))] : [];
  const store = c2pa ?? Buffer.alloc(0);
  for (let at = 8, part = 1; at < store.length; at += 60_000, part += 1) {
    const head = Buffer.concat([Buffer.from('JP\0\x01', 'latin1'), uint32(part), store.subarray(0, 8)]);
    segments.push(segment(0xeb, Buffer.concat([head, store.subarray(at, at + 60_000)])));
  }
  return Buffer.concat([image.subarray(0, 2), ...segments, image.subarray(2)]);
}

/** IPTC-IIM with a caption, in Photoshop's frame. */
export const iptcBlock = (caption: string): Buffer => {
  const field = Buffer.concat([Buffer.from([0x1c, 2, 0x78, 0, caption.length]), Buffer.from(caption)]);
  return Buffer.concat([Buffer.from('8BIM'), Buffer.from([4, 4, 0, 0]), uint32(field.length), field]);
};

/** An MP3 tag of version 2.3 with marks as its first frames. */
export function id3Tag({ c2pa, xmp }: SourceMarks): Buffer {
  const frame = (id: string, data: Buffer): Buffer =>
    Buffer.concat([Buffer.from(id), uint32(data.length), Buffer.alloc(2), data]);
  const object = Buffer.from('\0application/x-c2pa-manifest-store\0c2pa\0c2pa manifest store\0', 'latin1');
  const frames = Buffer.concat([
    ...(c2pa ? [frame('GEOB', Buffer.concat([object, c2pa]))] : []),
    ...(xmp ? [frame('PRIV', Buffer.concat([Buffer.from('XMP\0'), xmp]))] : []),
  ]);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (frames.length >> shift) & 0x7f));
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), size, frames]);
}
