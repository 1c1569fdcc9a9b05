import { type ByteReader, withByteReader } from '../byte-reader.ts';

const ID3_HEAD_BYTES = 10;
/** Bytes that contain the header, side information and tag of the first frame. */
const SCANNED_BYTES = 200;

/** Whether an MP3 declares its number of frames. Otherwise its length is estimated from its size. */
export const hasStatedLength = (file: string): Promise<boolean> => withByteReader(file, readStatedLength);

async function readStatedLength(reader: ByteReader): Promise<boolean> {
  const head = await reader.bytes(0, ID3_HEAD_BYTES);
  const first_frame = head.toString('latin1', 0, 3) === 'ID3' ? ID3_HEAD_BYTES + synchsafe(head.subarray(6)) : 0;
  const frame = (await reader.bytes(first_frame, SCANNED_BYTES)).toString('latin1');
  return /Xing|Info|VBRI/.test(frame);
}

/** Reads a size with seven bits per byte. */
const synchsafe = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
