import type { ByteReader } from './byte-reader.ts';
import { foreignContentError } from './media-error.ts';
import type { FileLayout, Range } from './structure/file-layout.ts';

const SCANNED_BYTES = 65_536;
/**
 * Tags and addresses that run something. Text follows a real tag, but hardly ever the same five bytes in compressed data.
 */
const MARKUP =
  /<(?:!doctype\s|(?:html|head|body|script|iframe|svg)[\s/>]|\?php\s)(?=[\t\n\r -~]{8}|[\t\n\r -~]{0,8}$)|javascript:/i;
/** Longer than any match above. */
const OVERLAP_BYTES = 64;
/** End of a ZIP's directory with its two disk numbers, which are 0. Readers search it from the end of a file. */
const ZIP_END = Buffer.from('PK\x05\x06\0\0\0\0', 'latin1');
const PDF_HEAD = Buffer.from('%PDF-', 'latin1');
const PDF_SEARCH_BYTES = 1_024;
/** What recorders and editors fill the rest of a file with, and a trailer that follows such bytes. */
const PADDING = new Set([0, 0x0a, 0x0d, 0x20, 0x3b, 0xff]);

/**
 * Rejects media that other programs would treat as a page, a script, a PDF or an archive. What a format has for text is
 * not looked at: prompts and comments may be about pages. @throws {MediaError}
 */
export async function assertNoForeignContent(reader: ByteReader, layout: FileLayout): Promise<void> {
  const head = { start: 0, end: Math.min(SCANNED_BYTES, reader.size_bytes) };
  const tail = { start: Math.max(0, reader.size_bytes - SCANNED_BYTES), end: reader.size_bytes };
  await assertNoMarkup(reader, head, layout.metadata);
  const start = maskRanges(await reader.bytes(0, PDF_SEARCH_BYTES), 0, layout.metadata);
  if (start.includes(PDF_HEAD)) throw foreignContentError();
  if ((await reader.bytes(tail.start, SCANNED_BYTES)).includes(ZIP_END)) throw foreignContentError();
  for (const range of layout.fillers) await assertNoMarkup(reader, range, []);
  if (layout.end === null) return assertNoMarkup(reader, tail, layout.metadata);
  const trailer = { start: layout.end, end: reader.size_bytes };
  if (layout.allowsOnlyPadding) return assertPadding(reader, trailer);
  await assertNoMarkup(reader, trailer, layout.metadata);
}

async function assertNoMarkup(reader: ByteReader, { start, end }: Range, masked: readonly Range[]): Promise<void> {
  for (let at = start; at < end; at += SCANNED_BYTES - OVERLAP_BYTES) {
    const bytes = await reader.bytes(at, Math.min(SCANNED_BYTES, end - at));
    if (MARKUP.test(maskRanges(bytes, at, masked).toString('latin1'))) throw foreignContentError();
    if (at + bytes.length >= end) return;
  }
}

async function assertPadding(reader: ByteReader, { start, end }: Range): Promise<void> {
  for (let at = start; at < end; at += SCANNED_BYTES) {
    const bytes = await reader.bytes(at, Math.min(SCANNED_BYTES, end - at));
    if (!bytes.every((byte) => PADDING.has(byte))) throw foreignContentError();
  }
}

/** A copy whose bytes of these ranges are zeros. */
function maskRanges(bytes: Buffer, offset: number, ranges: readonly Range[]): Buffer {
  const copy = Buffer.from(bytes);
  for (const { start, end } of ranges) {
    const from = Math.max(0, start - offset);
    const to = Math.min(copy.length, end - offset);
    if (from < to) copy.fill(0, from, to);
  }
  return copy;
}
