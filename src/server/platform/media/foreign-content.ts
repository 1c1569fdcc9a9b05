import type { ByteReader } from './byte-reader.ts';
import { foreignContentError } from './media-error.ts';

const SCANNED_BYTES = 65_536;
const MARKUP = /<(?:!doctype|html|head|body|script|iframe|svg[\s>]|\?php)|javascript:/i;
/** End of a ZIP's directory with its two disk numbers, which are 0. Readers search it from the end of a file. */
const ZIP_END = Buffer.from('PK\x05\x06\0\0\0\0', 'latin1');
const PDF_HEAD = Buffer.from('%PDF-', 'latin1');
const PDF_SEARCH_BYTES = 1_024;

/** Rejects media that other programs would treat as a page, a script, a PDF or an archive. @throws {MediaError} */
export async function assertNoForeignContent(reader: ByteReader): Promise<void> {
  const head = Buffer.from(await reader.bytes(0, SCANNED_BYTES));
  const tail = await reader.bytes(Math.max(0, reader.size_bytes - SCANNED_BYTES), SCANNED_BYTES);
  assertNoForeignText(head);
  assertNoForeignText(tail);
  if (tail.includes(ZIP_END)) throw foreignContentError();
  if (head.subarray(0, PDF_SEARCH_BYTES).includes(PDF_HEAD)) throw foreignContentError();
}

/** @throws {MediaError} when the bytes contain the start of a page or script */
export function assertNoForeignText(bytes: Uint8Array): void {
  if (MARKUP.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')))
    throw foreignContentError();
}

/** Whether any part of the bytes would be found by `assertNoForeignContent` at the start or end of a file. */
export const hasForeignContent = (bytes: Buffer): boolean =>
  MARKUP.test(bytes.toString('latin1')) || bytes.includes(ZIP_END) || bytes.includes(PDF_HEAD);
