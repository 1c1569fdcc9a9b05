import { type ByteReader, withByteReader } from '#server/platform/media/byte-reader.ts';
import { truncatedFileError } from '#server/platform/media/media-error.ts';

/** AAC alone is a sequence of frames; the last must be complete. @throws {MediaError} */
export const checkAdts = (file: string, last_frame_at: number): Promise<void> =>
  withByteReader(file, (reader) => checkLastFrame(reader, last_frame_at));

async function checkLastFrame(reader: ByteReader, last_frame_at: number): Promise<void> {
  const [, , , high = 0, middle = 0, low] = await reader.bytes(last_frame_at, 6);
  if (low === undefined) throw truncatedFileError();
  const length = ((high & 0b11) << 11) | (middle << 3) | (low >> 5);
  if (last_frame_at + length > reader.size_bytes) throw truncatedFileError();
}

const ID3_HEAD_BYTES = 10;
/** The first frame's header, side information and tag are within this many bytes. */
const SCANNED_BYTES = 200;

/** Whether an MP3 states its number of frames; without it, the length is only guessed from the size. */
export const hasStatedLength = (file: string): Promise<boolean> => withByteReader(file, readStatedLength);

async function readStatedLength(reader: ByteReader): Promise<boolean> {
  const head = await reader.bytes(0, ID3_HEAD_BYTES);
  const first_frame = head.toString('latin1', 0, 3) === 'ID3' ? ID3_HEAD_BYTES + synchsafe(head.subarray(6)) : 0;
  const frame = (await reader.bytes(first_frame, SCANNED_BYTES)).toString('latin1');
  return /Xing|Info|VBRI/.test(frame);
}

/** Each byte of such a size carries seven bits. */
const synchsafe = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
