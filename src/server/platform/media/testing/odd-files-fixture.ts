import { crc32 } from 'node:zlib';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([uint32(content.length + 8), latin1(type), content]);
};

/** Adds a chunk behind the first one. */
export function withPngChunk(png: Buffer, type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([latin1(type), data]);
  const chunk = Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
}

/** Adds a segment behind the start of the image. */
export function withJpegSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

/** Adds a comment before the trailer. */
export const withGifComment = (gif: Buffer, text: string): Buffer =>
  Buffer.concat([gif.subarray(0, -1), latin1('\x21\xfe'), Buffer.from([text.length]), latin1(text), latin1('\0;')]);

export const riffChunk = (id: string, data: Buffer, stated = data.length): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(stated);
  return Buffer.concat([latin1(id), size, data]);
};

interface WavParts {
  form?: string;
  riffBytes?: number;
  dataBytes?: number;
  bits?: 8 | 16;
  samples?: number;
  isExtensible?: boolean;
  before?: readonly Buffer[];
  after?: readonly Buffer[];
}

/** A tone of 8 kHz, one second unless said otherwise, with any numbers in its heads. */
export function createWav(parts: WavParts = {}): Buffer {
  const { form = 'RIFF', bits = 16, samples = 8_000, before = [], after = [], isExtensible = false } = parts;
  const sound = Buffer.alloc((samples * bits) / 8);
  for (let at = 0; at < samples; at += 1) {
    const value = Math.sin((at * 440 * 2 * Math.PI) / 8_000) * 0.6;
    if (bits === 8) sound[at] = 128 + Math.round(value * 127);
    else sound.writeInt16LE(Math.round(value * 32_767), at * 2);
  }
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? 0xfffe : 1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(8_000, 4);
  format.writeUInt32LE((8_000 * bits) / 8, 8);
  format.writeUInt16LE(bits / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (isExtensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(bits, 18);
    format.writeUInt32LE(4, 20);
    Buffer.from('0100000000001000800000aa00389b71', 'hex').copy(format, 24);
  }
  const chunks = [...before, riffChunk('fmt ', format), riffChunk('data', sound, parts.dataBytes), ...after];
  const content = Buffer.concat([latin1('WAVE'), ...chunks]);
  return riffChunk(form, content, parts.riffBytes ?? content.length);
}

/** The lengths of a WAV above 4 GiB, here of a short one. */
export function longLengths(riffBytes: number, dataBytes: number, samples: number): Buffer {
  const data = Buffer.alloc(28);
  data.writeBigUInt64LE(BigInt(riffBytes), 0);
  data.writeBigUInt64LE(BigInt(dataBytes), 8);
  data.writeBigUInt64LE(BigInt(samples), 16);
  return riffChunk('ds64', data);
}

/** An ID3v2.3 tag with one frame. */
export function id3v2(frame: string, text: string): Buffer {
  const data = latin1(`\0${text}`);
  const content = Buffer.concat([latin1(frame), uint32(data.length), Buffer.alloc(2), data]);
  const size = Buffer.from([21, 14, 7, 0].map((shift) => (content.length >> shift) & 0x7f));
  return Buffer.concat([latin1('ID3\x03\0\0'), size, content]);
}

export const id3v1 = (title: string): Buffer => Buffer.concat([latin1('TAG'), latin1(title.padEnd(125, '\0'))]);

/** An APEv2 tag without its optional head. */
export function apeTag(key: string, value: string): Buffer {
  const item = Buffer.concat([Buffer.alloc(8), latin1(`${key}\0${value}`)]);
  item.writeUInt32LE(value.length, 0);
  const footer = Buffer.alloc(32);
  footer.write('APETAGEX', 'latin1');
  footer.writeUInt32LE(2_000, 8);
  footer.writeUInt32LE(item.length + 32, 12);
  footer.writeUInt32LE(1, 16);
  return Buffer.concat([item, footer]);
}
