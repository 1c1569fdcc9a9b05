import { open } from 'node:fs/promises';
import { ByteReader } from '../byte-reader.ts';
import { truncatedFileError } from './structure-errors.ts';

/**
 * AAC without a container is a row of frames, each with its length; the last must be whole.
 * @param last_frame_at position of the last frame
 * @throws {MediaError}
 */
export async function checkAdts(file: string, last_frame_at: number): Promise<void> {
  await using handle = await open(file, 'r');
  const reader = new ByteReader(handle, (await handle.stat()).size);
  const [, , , high = 0, middle = 0, low] = await reader.bytes(last_frame_at, 6);
  if (low === undefined) throw truncatedFileError();
  const length = ((high & 0b11) << 11) | (middle << 3) | (low >> 5);
  if (last_frame_at + length > reader.size_bytes) throw truncatedFileError();
}
