import { type ByteReader, withByteReader } from '../byte-reader.ts';

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
