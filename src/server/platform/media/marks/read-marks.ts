import { type ByteReader, withByteReader } from '#server/platform/media/byte-reader.ts';

/** `c2pa`: a store of content credentials in JUMBF. `xmp`: an XMP packet, which states the digital source type. */
type FileMark = 'c2pa' | 'xmp';

/** null: the file has the mark, but it can't be carried over: too large or damaged. */
export type FileMarks = Partial<Record<FileMark, Buffer | null>>;

const MAX_MARK_BYTES = 16 * 2 ** 20;
/** More chunks, segments or boxes before a mark than real files have. */
const MAX_CHUNKS = 20_000;

export const PNG_XMP_KEYWORD = Buffer.from('XML:com.adobe.xmp\0', 'latin1');
export const JPEG_XMP_ID = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
export const C2PA_BOX_ID = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex');
export const XMP_BOX_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
export const MARK_CHUNKS = { webp: { c2pa: 'C2PA', xmp: 'XMP ' }, wav: { c2pa: 'C2PA', xmp: '_PMX' } } as const;

interface Range {
  start: number;
  /** Exclusive. */
  end: number;
}

interface FoundMark {
  mark: FileMark;
  /** What the mark takes in the file: chunks, segments, a box or a frame as a whole. */
  parts: readonly Range[];
  /** Where its bytes are; empty: it has none of its own. null: they can't be read. */
  content: readonly Range[] | null;
}

type Walk = AsyncGenerator<FoundMark, void, undefined>;

const WALKERS = {
  png: walkPng,
  jpeg: walkJpeg,
  webp: (reader) => walkRiff(reader, MARK_CHUNKS.webp),
  wav: (reader) => walkRiff(reader, MARK_CHUNKS.wav),
  bmff: walkBmff,
  id3: walkId3,
} as const satisfies Record<string, (reader: ByteReader) => Walk>;
export type MarkFormat = keyof typeof WALKERS;

/** By the first bytes. undefined: a format without a place for marks. */
export function detectMarkFormat(head: Buffer): MarkFormat | undefined {
  const text = head.toString('latin1', 0, 12);
  if (text.startsWith('\x89PNG\r\n')) return 'png';
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('RIFF')) return ({ WEBP: 'webp', WAVE: 'wav' } as const)[text.slice(8)];
  if (text.startsWith('ID3')) return 'id3';
  return text.slice(4, 8) === 'ftyp' ? 'bmff' : undefined;
}

/** Finds the marks of origin of media that were probed before. Damaged parts end the search. */
export const findMarks = (reader: ByteReader, format: MarkFormat): Walk => WALKERS[format](reader);

/** Reads the first mark of each kind. */
export function readMarks(file: string): Promise<FileMarks> {
  return withByteReader(file, async (reader) => {
    const marks: FileMarks = {};
    const format = detectMarkFormat(await reader.bytes(0, 12));
    if (!format) return marks;
    for await (const { mark, content } of findMarks(reader, format)) {
      if (marks[mark] !== undefined || content?.length === 0) continue;
      const bytes = content && (await readRanges(reader, content));
      marks[mark] = bytes === null ? null : mark === 'c2pa' ? asManifestStore(bytes) : bytes;
    }
    return marks;
  });
}

/** A superbox of type `c2pa`, without what follows it. */
function asManifestStore(bytes: Buffer): Buffer | null {
  const isStore = bytes.toString('latin1', 4, 8) === 'jumb' && bytes.toString('latin1', 12, 20) === 'jumdc2pa';
  const length = isStore ? bytes.readUInt32BE(0) : 0;
  return length >= 24 && length <= bytes.length ? bytes.subarray(0, length) : null;
}

/** null: too many bytes, or the file ends before. */
async function readRanges(reader: ByteReader, ranges: readonly Range[]): Promise<Buffer | null> {
  const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  if (length > MAX_MARK_BYTES || ranges.some(({ start, end }) => end < start || end > reader.size_bytes)) return null;
  const pieces: Buffer[] = [];
  for (const { start, end } of ranges)
    for (let at = start; at < end; at += 65_536) pieces.push(await reader.bytes(at, Math.min(65_536, end - at)));
  return Buffer.concat(pieces);
}

async function* walkPng(reader: ByteReader): Walk {
  let start = 8;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await reader.bytes(start, 8);
    if (head.length < 8) return;
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)];
    const [parts, content] = [[{ start, end: start + 12 + length }], { start: start + 8, end: start + 8 + length }];
    if (type === 'caBX') yield { mark: 'c2pa', parts, content: [content] };
    if (type === 'iTXt') {
      const text = await reader.bytes(content.start, Math.min(length, 1_024));
      if (text.subarray(0, PNG_XMP_KEYWORD.length).equals(PNG_XMP_KEYWORD)) {
        const offset = pngTextOffset(text);
        yield {
          mark: 'xmp',
          parts,
          content: offset === null ? null : [{ start: content.start + offset, end: content.end }],
        };
      }
    }
    start += 12 + length;
  }
}

/** The text of an iTXt chunk comes after its keyword, two flags, a language and a translated keyword. */
function pngTextOffset(chunk: Buffer): number | null {
  const flags = PNG_XMP_KEYWORD.length;
  if (chunk[flags] !== 0) return null;
  const translated = chunk.indexOf(0, flags + 2) + 1;
  const text = chunk.indexOf(0, translated) + 1;
  return translated === 0 || text === 0 ? null : text;
}

async function* walkJpeg(reader: ByteReader): Walk {
  // The segments of a box are numbered, and need not follow each other.
  const stores = new Map<number, { parts: Range[]; content: Range[] }>();
  let start = 2;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await reader.bytes(start, 4 + JPEG_XMP_ID.length);
    const [prefix, marker] = head;
    if (head.length < 4 || prefix !== 0xff || marker === 0xda || marker === 0xd9) break;
    const length = head.readUInt16BE(2);
    if (length < 2) break;
    const end = start + 2 + length;
    const data = head.subarray(4);
    if (marker === 0xe1 && data.equals(JPEG_XMP_ID))
      yield { mark: 'xmp', parts: [{ start, end }], content: [{ start: start + 4 + data.length, end }] };
    if (marker === 0xeb && length > 18 && data.toString('latin1', 0, 2) === 'JP') {
      const [box, isFirst] = [data.readUInt16BE(2), data.readUInt32BE(4) === 1];
      if (isFirst && data.toString('latin1', 20, 28) === 'jumdc2pa' && !stores.has(box))
        stores.set(box, { parts: [], content: [] });
      const store = stores.get(box);
      store?.parts.push({ start, end });
      // Later segments repeat the length and type of the box.
      store?.content.push({ start: start + 4 + (isFirst ? 8 : 16), end });
    }
    start = end;
  }
  for (const store of stores.values()) yield { mark: 'c2pa', ...store };
}

async function* walkRiff(reader: ByteReader, ids: Record<FileMark, string>): Walk {
  let start = 12;
  for (let count = 0; count < MAX_CHUNKS; count += 1) {
    const head = await reader.bytes(start, 8);
    if (head.length < 8) return;
    const [id, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)];
    const content = { start: start + 8, end: start + 8 + length };
    const end = content.end + (length % 2);
    for (const mark of ['c2pa', 'xmp'] as const)
      if (id === ids[mark]) yield { mark, parts: [{ start, end }], content: [content] };
    start = end;
  }
}

interface Box {
  type: string;
  whole: Range;
  content: Range;
}

/** Shared by nested walks, whose boxes would multiply. */
interface BoxBudget {
  left: number;
}

export async function* walkBoxes(
  reader: ByteReader,
  { start, end }: Range,
  budget: BoxBudget = { left: MAX_CHUNKS },
): AsyncGenerator<Box> {
  let at = start;
  for (; budget.left > 0 && at + 8 <= end; budget.left -= 1) {
    const head = await reader.bytes(at, 16);
    if (head.length < 8) return;
    const stated = head.readUInt32BE(0);
    const isWide = stated === 1 && head.length === 16;
    const length = isWide ? Number(head.readBigUInt64BE(8)) : stated === 0 ? end - at : stated;
    const whole = { start: at, end: at + length };
    if (length < (isWide ? 16 : 8) || whole.end > end) return;
    yield { type: head.toString('latin1', 4, 8), whole, content: { ...whole, start: at + (isWide ? 16 : 8) } };
    at = whole.end;
  }
}

async function* walkBmff(reader: ByteReader): Walk {
  const budget = { left: MAX_CHUNKS };
  for await (const { type, whole, content } of walkBoxes(reader, { start: 0, end: reader.size_bytes }, budget)) {
    if (type === 'moov') yield* walkUserData(reader, content, budget);
    if (type !== 'uuid') continue;
    const { start, end } = content;
    const id = await reader.bytes(start, 16);
    if (id.equals(XMP_BOX_ID)) yield { mark: 'xmp', parts: [whole], content: [{ start: start + 16, end }] };
    if (!id.equals(C2PA_BOX_ID)) continue;
    // Version and flags, a purpose, and eight bytes of an offset come before the store.
    const purpose = /^[a-z]{1,16}(?=\0)/.exec((await reader.bytes(start + 20, 32)).toString('latin1'))?.[0];
    const hasStore = purpose !== undefined && purpose !== 'merkle';
    const store = hasStore ? [{ start: start + 20 + purpose.length + 1 + 8, end }] : [];
    yield { mark: 'c2pa', parts: [whole], content: store };
  }
}

/** QuickTime files have their XMP in `moov/udta/XMP_`. */
async function* walkUserData(reader: ByteReader, movie: Range, budget: BoxBudget): Walk {
  for await (const { type, content: data } of walkBoxes(reader, movie, budget)) {
    if (type !== 'udta') continue;
    for await (const { type: inner, whole, content } of walkBoxes(reader, data, budget))
      if (inner === 'XMP_') yield { mark: 'xmp', parts: [whole], content: [content] };
  }
}

export const ID3_HEAD_BYTES = 10;

export const readSyncsafe = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((value, byte) => value * 128 + (byte & 0x7f), 0);

/** Frames of ID3v2.3 and v2.4: GEOB holds objects, PRIV what programs add. */
async function* walkId3(reader: ByteReader): Walk {
  const head = await reader.bytes(0, 14);
  const version = head[3];
  const hasExtendedHead = ((head[5] ?? 0) & 0x40) !== 0;
  if (head.length < 14 || (version !== 3 && version !== 4)) return;
  const readSize = (bytes: Buffer, at: number) => (version === 4 ? readSyncsafe(bytes, at) : bytes.readUInt32BE(at));
  const tagEnd = ID3_HEAD_BYTES + readSyncsafe(head, 6);
  let start = ID3_HEAD_BYTES + (hasExtendedHead ? readSize(head, 10) + (version === 3 ? 4 : 0) : 0);
  for (let count = 0; count < MAX_CHUNKS && start + 10 < tagEnd; count += 1) {
    const frame = await reader.bytes(start, 10);
    const type = frame.toString('latin1', 0, 4);
    if (frame.length < 10 || !/^[A-Z0-9]{4}$/.test(type)) return;
    const content = { start: start + 10, end: start + 10 + readSize(frame, 4) };
    const parts = [{ start, end: content.end }];
    if (content.end > tagEnd) return;
    const data = await reader.bytes(content.start, Math.min(content.end - content.start, 1_024));
    if (type === 'GEOB' && data.toString('latin1', 1, 64).includes('c2pa')) {
      const store = content.start + Math.max(0, data.indexOf('jumb') - 4);
      yield { mark: 'c2pa', parts, content: [{ start: store, end: content.end }] };
    }
    if (type === 'PRIV' && data.toString('latin1', 0, 4) === 'XMP\0')
      yield { mark: 'xmp', parts, content: [{ start: content.start + 4, end: content.end }] };
    start = content.end;
  }
}
