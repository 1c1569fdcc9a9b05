import { scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, string, number, Buffer>(scrypt);
const HASH_BYTES = 32;

/** Codes are short, so a fast hash would not protect them. */
export const hashShareCode = async (shareId: string, code: string): Promise<string> =>
  (await derive(code.normalize('NFKC'), shareId, HASH_BYTES)).toString('hex');

export async function matchesShareCode(shareId: string, code: string, hash: string): Promise<boolean> {
  const [entered, expected] = [await hashShareCode(shareId, code), hash].map((text) => Buffer.from(text, 'hex'));
  return entered !== undefined && expected?.length === entered.length && timingSafeEqual(entered, expected);
}
