import type { ByteReader } from '../byte-reader.ts';
import { truncatedFileError, foreignContentError } from './structure-errors.ts';

const HEAD_BYTES = 8;
/** Written by streaming programs, which can't go back to fill in the size. */
const UNKNOWN_SIZES = new Set([0, 0xff_ff_ff_ff, 0x7f_ff_ff_ff]);

/**
 * A RIFF file is as long as its first chunk states.
 * @param exact nothing may follow; otherwise programs append their own tags
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
