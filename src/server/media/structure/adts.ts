import { type ByteReader, withByteReader } from '../byte-reader.ts';
import { truncatedFileError } from './structure-errors.ts';

/**
 * AAC without a container is a sequence of frames, each with its length; the last must be complete.
 * @param last_frame_at position of the last frame
 * @throws {MediaError}
 */
export const checkAdts = (file: string, last_frame_at: number): Promise<void> =>
  withByteReader(file, (reader) => checkLastFrame(reader, last_frame_at));

async function checkLastFrame(reader: ByteReader, last_frame_at: number): Promise<void> {
  const [, , , high = 0, middle = 0, low] = await reader.bytes(last_frame_at, 6);
  if (low === undefined) throw truncatedFileError();
  const length = ((high & 0b11) << 11) | (middle << 3) | (low >> 5);
  if (last_frame_at + length > reader.size_bytes) throw truncatedFileError();
}
