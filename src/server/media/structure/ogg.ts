import type { ByteReader } from '../byte-reader.ts';
import { truncatedFileError, foreignContentError } from './structure-errors.ts';

const PAGE_HEAD_BYTES = 27;
const LARGEST_PAGE_BYTES = 65_307;

/** The last page of an Ogg file is complete and ends the file. @throws {MediaError} */
export async function checkOgg(reader: ByteReader): Promise<void> {
  const tail = await reader.bytes(Math.max(0, reader.size_bytes - LARGEST_PAGE_BYTES), LARGEST_PAGE_BYTES);
  const last = tail.lastIndexOf('OggS', undefined, 'latin1');
  if (last < 0) throw foreignContentError();
  const page = tail.subarray(last);
  const segments = page[26];
  if (segments === undefined || page.length < PAGE_HEAD_BYTES + segments) throw truncatedFileError();
  const lacing = page.subarray(PAGE_HEAD_BYTES, PAGE_HEAD_BYTES + segments);
  const end = PAGE_HEAD_BYTES + segments + lacing.reduce((sum, bytes) => sum + bytes, 0);
  if (end > page.length) throw truncatedFileError();
  if (end < page.length) throw foreignContentError();
}
