import type { ByteReader } from '#server/platform/media/byte-reader.ts';
import type { Range } from './file-layout.ts';

/** Items that hold text: EXIF, and XMP as `mime`. */
const TEXT_ITEMS = new Set(['Exif', 'mime', 'uri ']);
const MAX_META_BYTES = 65_536;
/** Those of a file whose extents take no bytes would never end. */
const MAX_EXTENTS = 1_000;

/** Where an AVIF keeps its EXIF and XMP: its `meta` box names items and locates them in `mdat`. Stops at damage. */
export async function metadataItems(reader: ByteReader, { start, end }: Range): Promise<Range[]> {
  const meta = await reader.bytes(start, Math.min(end - start, MAX_META_BYTES));
  try {
    const boxes = new Map(listBoxes(meta.subarray(4)));
    const [info, locations] = [boxes.get('iinf'), boxes.get('iloc')];
    return info && locations ? readLocations(locations, readTextItems(info)) : [];
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function listBoxes(bytes: Buffer): [type: string, content: Buffer][] {
  const boxes: [string, Buffer][] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (length < 8) break;
    boxes.push([bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + length)]);
    at += length;
  }
  return boxes;
}

function readTextItems(info: Buffer): Set<number> {
  const entries = listBoxes(info.subarray(info[0] === 0 ? 6 : 8)).filter(([type]) => type === 'infe');
  const ids = new Set<number>();
  for (const [, entry] of entries) {
    const version = entry.readUInt8(0);
    if (version < 2) continue;
    const idBytes = version === 2 ? 2 : 4;
    const typeAt = 4 + idBytes + 2;
    if (TEXT_ITEMS.has(entry.toString('latin1', typeAt, typeAt + 4))) ids.add(entry.readUIntBE(4, idBytes));
  }
  return ids;
}

function readLocations(bytes: Buffer, ids: ReadonlySet<number>): Range[] {
  let at = 4;
  const read = (length: number): number => {
    const value = length === 0 ? 0 : length === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, length);
    at += length;
    return value;
  };
  const version = bytes.readUInt8(0);
  const [sizes, more] = [read(1), read(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, more >> 4];
  const indexBytes = version === 0 ? 0 : more & 15;
  const ranges: Range[] = [];
  let extentsLeft = MAX_EXTENTS;
  for (let left = read(version < 2 ? 2 : 4); left > 0; left -= 1) {
    const id = read(version < 2 ? 2 : 4);
    const isInFile = version === 0 || (read(2) & 15) === 0;
    read(2);
    const base = read(baseBytes);
    for (let extents = read(2); extents > 0; extents -= 1) {
      if (--extentsLeft < 0) return ranges;
      read(indexBytes);
      const start = base + read(offsetBytes);
      const length = read(lengthBytes);
      if (isInFile && ids.has(id)) ranges.push({ start, end: start + length });
    }
  }
  return ranges;
}
