import type { ByteReader } from '../byte-reader.ts';
import { truncatedFileError, foreignContentError } from './structure-errors.ts';

const HEAD_BYTES = 8;
/** Sizes that streaming programs write because they can't fill them in later. */
const UNKNOWN_SIZES = new Set([0, 0xff_ff_ff_ff, 0x7f_ff_ff_ff]);

/**
 * Checks that a RIFF file has the length of its first chunk.
 * @param exact whether nothing may follow; otherwise appended tags are allowed
 * @throws {MediaError}
 */
export async function checkRiff(reader: ByteReader, exact: boolean): Promise<void> {
  const head = await reader.bytes(0, HEAD_BYTES);
  if (head.length < HEAD_BYTES) throw truncatedFileError();
  const stated = head.readUInt32LE(4);
  if (!exact && UNKNOWN_SIZES.has(stated)) return;
  const end = HEAD_BYTES + stated;
  if (end > reader.size_bytes) throw truncatedFileError();
  if (exact && reader.size_bytes > end + (end % 2)) throw foreignContentError();
}
