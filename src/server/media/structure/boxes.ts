import type { ByteReader } from '../byte-reader.ts';
import { assertNoForeignText } from '../foreign-content.ts';
import { truncatedFileError, damagedFileError, foreignContentError, MAX_PARTS } from './structure-errors.ts';

/** Boxes that players skip or show as notes, where other content can hide. */
const FREE_FORM_BOXES = new Set(['free', 'skip', 'wide', 'uuid', 'udta', 'meta', 'junk', 'pnot']);
const SCANNED_BYTES = 65_536;

/** An MP4, MOV or AVIF is a sequence of boxes that ends with the file. @throws {MediaError} */
export async function checkBoxes(reader: ByteReader): Promise<void> {
  let at = 0;
  for (let part = 0; part < MAX_PARTS; part += 1) {
    if (at === reader.size_bytes) return;
    const head = await reader.bytes(at, 16);
    if (head.every((byte) => byte === 0)) return assertOnlyZeros(reader, at);
    if (head.length < 8) throw at === 0 ? truncatedFileError() : foreignContentError();
    const type = head.toString('latin1', 4, 8);
    if (!/^[\x20-\x7e©]{4}$/.test(type)) throw foreignContentError();
    const length = boxLength(head, reader.size_bytes - at);
    if (FREE_FORM_BOXES.has(type)) assertNoForeignText(await reader.bytes(at + 8, Math.min(length - 8, SCANNED_BYTES)));
    at += length;
    if (at > reader.size_bytes) throw truncatedFileError();
  }
  throw damagedFileError();
}

function boxLength(head: Buffer, rest: number): number {
  const stated = head.readUInt32BE(0);
  if (stated === 0) return rest;
  if (stated >= 8) return stated;
  if (stated !== 1 || head.length < 16) throw damagedFileError();
  const wide = Number(head.readBigUInt64BE(8));
  if (wide < 16) throw damagedFileError();
  return wide;
}

/** Some recorders pad the end of a file. */
async function assertOnlyZeros(reader: ByteReader, start: number): Promise<void> {
  for (let at = start; at < reader.size_bytes;) {
    const bytes = await reader.bytes(at, SCANNED_BYTES);
    if (bytes.length === 0) return;
    if (bytes.some((byte) => byte !== 0)) throw foreignContentError();
    at += bytes.length;
  }
}
