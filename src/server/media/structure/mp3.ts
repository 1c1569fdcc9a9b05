import { type ByteReader, withByteReader } from '../byte-reader.ts';

const ID3_HEAD_BYTES = 10;
/** The first frame's header, side information and tag lie within so much. */
const SCANNED_BYTES = 200;

/** Whether an MP3 says how many frames it has; without that its length is only guessed from its size. */
export const hasStatedLength = (file: string): Promise<boolean> => withByteReader(file, readStatedLength);

async function readStatedLength(reader: ByteReader): Promise<boolean> {
  const head = await reader.bytes(0, ID3_HEAD_BYTES);
  const first_frame = head.toString('latin1', 0, 3) === 'ID3' ? ID3_HEAD_BYTES + synchsafe(head.subarray(6)) : 0;
  const frame = (await reader.bytes(first_frame, SCANNED_BYTES)).toString('latin1');
  return /Xing|Info|VBRI/.test(frame);
}

/** A size of which each byte carries seven bits. */
const synchsafe = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
