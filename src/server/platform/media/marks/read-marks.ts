import { type ByteReader, withByteReader } from '#server/platform/media/byte-reader.ts';
import { hasForeignContent } from '#server/platform/media/foreign-content.ts';

/** `c2pa`: a store of content credentials in JUMBF. `xmp`: an XMP packet, which states the digital source type. */
export type FileMark = 'c2pa' | 'xmp';

/** null: the file has the mark, but it can't be carried over: too large, damaged or unsafe. */
export type FileMarks = Partial<Record<FileMark, Buffer | null>>;

export const MAX_MARK_BYTES = 16 * 2 ** 20;
/** More chunks, segments or boxes before a mark than real files have. */
const MAX_CHUNKS = 20_000;

export const PNG_XMP_KEYWORD = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
export const JPEG_XMP_ID = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
export const C2PA_BOX_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
export const XMP_BOX_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
export const MARK_CHUNKS = { webp: { c2pa: 'C2PA', xmp: 'XMP ' }, wav: { c2pa: 'C2PA', xmp: '_PMX' } } as const;

const READERS = {
  png: readPng,
  jpeg: readJpeg,
  webp: (reader) => readRiff(reader, MARK_CHUNKS.webp),
  wav: (reader) => readRiff(reader, MARK_CHUNKS.wav),
  bmff: readBoxes,
  id3: readId3,
} as const satisfies Record<string, (reader: ByteReader) => Promise<Found>>;
export type MarkFormat = keyof typeof READERS;

/** By the first bytes. undefined: a format without a place for marks. */
export function detectMarkFormat(head: Buffer): MarkFormat | undefined {
  const text = head.toString('latin1', 0, 12);
  if (text.startsWith('\x89PNG\r\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF')) return ({ WEBP: 'webp', WAVE: 'wav' } as const)[text.slice(8)];
  if (text.startsWith('ID3')) return 'id3';
  return text.slice(4, 8) === 'ftyp' ? 'bmff' : undefined;
}

/** Reads the marks of origin of media that were probed before. Damaged parts end the search. */
export function readMarks(file: string): Promise<FileMarks> {
  return withByteReader(file, async (reader) => {
    const format = detectMarkFormat(await reader.bytes(0, 12));
    if (!format) return {};
    const { c2pa, xmp } = await READERS[format](reader);
    return {
      ...(c2pa === undefined ? {} : { c2pa: c2pa && isSafe(c2pa) ? asManifestStore(c2pa) : null }),
      ...(xmp === undefined ? {} : { xmp: xmp && isSafe(xmp) ? xmp : null }),
    };
  });
}

type Found = { -readonly [Mark in FileMark]?: Buffer | null };

const isSafe = (bytes: Buffer): boolean => bytes.length <= MAX_MARK_BYTES && !hasForeignContent(bytes);

/** A superbox of type `c2pa`, without what follows it. */
function asManifestStore(bytes: Buffer): Buffer | null {
  const isStore = bytes.toString('latin1', 4, 8) === 'jumb' && bytes.toString('latin1', 12, 20) === 'jumdc2pa';
  const length = isStore ? bytes.readUInt32BE(0) : 0;
  return length >= 24 && length <= bytes.length ? bytes.subarray(0, length) : null;
}

/** Any number of bytes. null: too many, or the file ends before. */
async function readBlock(reader: ByteReader, start: number, length: number): Promise<Buffer | null> {
  if (length < 0 || length > MAX_MARK_BYTES || start + length > reader.size_bytes) return null;
  const pieces: Buffer[] = [];
  for (let at = start; at < start + length; at += 65_536)
    pieces.push(Buffer.from(await reader.bytes(at, Math.min(65_536, start + length - at))));
  return Buffer.concat(pieces);
}

async function readPng(reader: ByteReader): Promise<Found> {
  const found: Found = {};
  let at = 8;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = Buffer.from(await reader.bytes(at, 8));
    if (head.length < 8) break;
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)];
    if (type === 'caBX') found.c2pa ??= await readBlock(reader, at + 8, length);
    const keyword = type === 'iTXt' ? await reader.bytes(at + 8, PNG_XMP_KEYWORD.length) : null;
    if (keyword?.equals(PNG_XMP_KEYWORD)) found.xmp ??= pngText(await readBlock(reader, at + 8, length));
    at += 12 + length;
  }
  return found;
}

/** The text of an iTXt chunk: after its keyword, two flags, a language and a translated keyword. */
function pngText(data: Buffer | null): Buffer | null {
  const flags = PNG_XMP_KEYWORD.length;
  if (!data || data[flags] !== 0) return null;
  const translated = data.indexOf(0, flags + 2) + 1;
  const text = data.indexOf(0, translated) + 1;
  return translated === 0 || text === 0 ? null : data.subarray(text);
}

async function readJpeg(reader: ByteReader): Promise<Found> {
  const found: Found = {};
  let store: Buffer[] = [];
  let storeBox: number | undefined;
  let storeBytes = 0;
  let at = 2;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await reader.bytes(at, 4);
    const [prefix, marker] = head;
    if (head.length < 4 || prefix !== 0xff || marker === 0xda || marker === 0xd9) break;
    const length = head.readUInt16BE(2);
    if (length < 2) break;
    const data = marker === 0xe1 || marker === 0xeb ? await readBlock(reader, at + 4, length - 2) : null;
    if (marker === 0xe1 && data?.subarray(0, JPEG_XMP_ID.length).equals(JPEG_XMP_ID))
      found.xmp ??= data.subarray(JPEG_XMP_ID.length);
    if (marker === 0xeb && data && data.toString('latin1', 0, 2) === 'JP' && data.length > 16) {
      const [box, isFirst] = [data.readUInt16BE(2), data.readUInt32BE(4) === 1];
      if (isFirst && data.toString('latin1', 20, 28) === 'jumdc2pa') [store, storeBox] = [[data.subarray(8)], box];
      // Later segments of a box repeat its length and type.
      else if (!isFirst && box === storeBox) store.push(data.subarray(16));
      storeBytes += data.length;
      if (storeBytes > MAX_MARK_BYTES) return { ...found, c2pa: null };
    }
    at += 2 + length;
  }
  return store.length > 0 ? { ...found, c2pa: Buffer.concat(store) } : found;
}

async function readRiff(reader: ByteReader, ids: { c2pa: string; xmp: string }): Promise<Found> {
  const found: Found = {};
  let at = 12;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = Buffer.from(await reader.bytes(at, 8));
    if (head.length < 8) break;
    const [id, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    if (id === ids.c2pa) found.c2pa ??= await readBlock(reader, at + 8, length);
    if (id === ids.xmp) found.xmp ??= await readBlock(reader, at + 8, length);
    at += 8 + length + (length % 2);
  }
  return found;
}

interface Box {
  type: string;
  /** Of its head. */
  at: number;
  /** Of its content. */
  start: number;
  end: number;
}

export async function* walkBoxes(reader: ByteReader, start: number, end: number): AsyncGenerator<Box> {
  let at = start;
  for (let count = 0; count < MAX_CHUNKS && at + 8 <= end; count += 1) {
    const head = Buffer.from(await reader.bytes(at, 16));
    if (head.length < 8) return;
    const stated = head.readUInt32BE(0);
    const isWide = stated === 1 && head.length === 16;
    const length = isWide ? Number(head.readBigUInt64BE(8)) : stated === 0 ? end - at : stated;
    if (length < (isWide ? 16 : 8) || at + length > end) return;
    yield { type: head.toString('latin1', 4, 8), at, start: at + (isWide ? 16 : 8), end: at + length };
    at += length;
  }
}

async function readBoxes(reader: ByteReader): Promise<Found> {
  const found: Found = {};
  for await (const { type, start, end } of walkBoxes(reader, 0, reader.size_bytes)) {
    if (type === 'moov') found.xmp ??= (await readUserData(reader, start, end)) ?? undefined;
    if (type !== 'uuid') continue;
    const id = await reader.bytes(start, 16);
    if (id.equals(XMP_BOX_ID)) found.xmp ??= await readBlock(reader, start + 16, end - start - 16);
    else if (id.equals(C2PA_BOX_ID)) {
      // Version and flags, a purpose, and eight bytes of an offset come before the store.
      const purpose = /^[a-z]{1,16}(?=\0)/.exec((await reader.bytes(start + 20, 32)).toString('latin1'))?.[0];
      if (purpose === undefined || purpose === 'merkle') continue;
      const store = start + 20 + purpose.length + 1 + 8;
      found.c2pa ??= await readBlock(reader, store, end - store);
    }
  }
  return found;
}

/** QuickTime files have their XMP in `moov/udta/XMP_`. */
async function readUserData(reader: ByteReader, start: number, end: number): Promise<Buffer | null> {
  for await (const box of walkBoxes(reader, start, end)) {
    if (box.type === 'XMP_') return readBlock(reader, box.start, box.end - box.start);
    if (box.type === 'udta') return readUserData(reader, box.start, box.end);
  }
  return null;
}

export const ID3_HEAD_BYTES = 10;

export const readSyncsafe = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((value, byte) => value * 128 + (byte & 0x7f), 0);

/** Frames of ID3v2.3 and v2.4: GEOB holds objects, PRIV what programs add. */
async function readId3(reader: ByteReader): Promise<Found> {
  const found: Found = {};
  const head = Buffer.from(await reader.bytes(0, 14));
  const version = head[3];
  const hasExtendedHead = ((head[5] ?? 0) & 0x40) !== 0;
  if (head.length < 14 || (version !== 3 && version !== 4)) return found;
  const readSize = (bytes: Buffer, at: number) => (version === 4 ? readSyncsafe(bytes, at) : bytes.readUInt32BE(at));
  const end = ID3_HEAD_BYTES + readSyncsafe(head, 6);
  let at = ID3_HEAD_BYTES + (hasExtendedHead ? readSize(head, 10) + (version === 3 ? 4 : 0) : 0);
  for (let count = 0; count < MAX_CHUNKS && at + 10 < end; count += 1) {
    const frame = Buffer.from(await reader.bytes(at, 10));
    const type = frame.toString('latin1', 0, 4);
    if (frame.length < 10 || !/^[A-Z0-9]{4}$/.test(type)) break;
    const length = readSize(frame, 4);
    const data = type === 'GEOB' || type === 'PRIV' ? await readBlock(reader, at + 10, length) : null;
    if (type === 'GEOB' && data?.toString('latin1', 1, 64).includes('c2pa'))
      found.c2pa ??= data.subarray(Math.max(0, data.indexOf('jumb') - 4));
    if (type === 'PRIV' && data?.toString('latin1', 0, 4) === 'XMP\0') found.xmp ??= data.subarray(4);
    at += 10 + length;
  }
  return found;
}
