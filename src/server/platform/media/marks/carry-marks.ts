import { type FileMark, MAX_MARK_BYTES, readMarks } from './read-marks.ts';
import { writeMarks } from './write-marks.ts';

/**
 * Copies the marks of origin of sources to a file that was made from them. The credentials then describe other bytes, so
 * a reader reports that the file was changed, which is true. Decision: Marks of origin
 * @returns marks of a source that the file does not have
 */
export async function carryMarks(sources: readonly string[], output: string): Promise<FileMark[]> {
  const own = await readMarks(output);
  const lost = new Set<FileMark>();
  let store: Buffer | null = null;
  let packet = own.xmp ?? null;
  for (const source of new Set(sources)) {
    const { c2pa, xmp } = await readMarks(source);
    const merged: Buffer | null = c2pa ? mergeStores(store, c2pa) : store;
    if (c2pa === null || (merged && merged.length > MAX_MARK_BYTES)) lost.add('c2pa');
    else store = merged;
    // A file has one XMP packet.
    if (xmp) packet ??= xmp;
    if (xmp === null || (xmp && !packet?.equals(xmp))) lost.add('xmp');
  }
  const marks = {
    ...(store && own.c2pa === undefined ? { c2pa: store } : {}),
    ...(packet && own.xmp === undefined ? { xmp: packet } : {}),
  };
  if (Object.keys(marks).length > 0) for (const mark of await writeMarks(output, marks)) lost.add(mark);
  return [...lost].toSorted();
}

/** One store with the manifests of both. The last manifest is the active one: that of the first store. */
function mergeStores(first: Buffer | null, other: Buffer): Buffer {
  if (!first) return other;
  const [description, ...own] = childBoxes(first);
  const known = new Set(own.map((box) => box.toString('latin1')));
  const added = childBoxes(other)
    .slice(1)
    .filter((box) => !known.has(box.toString('latin1')));
  if (!description || added.length === 0) return first;
  const content = Buffer.concat([description, ...added, ...own]);
  const head = Buffer.from('\0\0\0\0jumb', 'latin1');
  head.writeUInt32BE(content.length + head.length);
  return Buffer.concat([head, content]);
}

function childBoxes(store: Buffer): Buffer[] {
  const boxes: Buffer[] = [];
  for (let at = 8; at + 8 <= store.length;) {
    const length = store.readUInt32BE(at);
    if (length < 8 || at + length > store.length) break;
    boxes.push(store.subarray(at, at + length));
    at += length;
  }
  return boxes;
}
