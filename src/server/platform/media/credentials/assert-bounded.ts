import { type ByteReader, withByteReader } from '#server/platform/media/byte-reader.ts';
import { detectMarkFormat, findMarks, type MarkFormat } from '#server/platform/media/marks/read-marks.ts';
import { PartBudget, TooManyPartsError, walkStructure } from '#server/platform/media/structure/walk-structure.ts';
import { STORE_FORMAT } from './c2pa-library.ts';
import { countManifestBoxes } from './count-manifest-boxes.ts';

/** More boxes than the longest histories have; a step has about 25. */
const MAX_MANIFEST_BOXES = 20_000;
/** The library reads a store into memory more than once. */
const MAX_STORE_BYTES = 48 * 2 ** 20;

/**
 * Rejects a file whose parts would take the library too long, before it reads one. Damaged files pass: it reports them.
 * @param format of the library @throws {TooManyPartsError}
 */
export function assertBounded(file: string, format: string): Promise<void> {
  return withByteReader(file, async (reader) => {
    const budget = new PartBudget(MAX_MANIFEST_BOXES);
    if (format === STORE_FORMAT)
      return countManifestBoxes(await readStore(reader, [{ start: 0, end: reader.size_bytes }]), budget);
    await walkStructure(reader, format);
    const marked = detectMarkFormat(await reader.bytes(0, 12));
    if (marked) await assertStores(reader, marked, budget);
  });
}

async function assertStores(reader: ByteReader, format: MarkFormat, budget: PartBudget): Promise<void> {
  for await (const { mark, content } of findMarks(reader, format))
    if (mark === 'c2pa' && content) countManifestBoxes(await readStore(reader, content), budget);
}

async function readStore(reader: ByteReader, ranges: readonly { start: number; end: number }[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (const { start, end } of ranges) {
    length += Math.max(0, end - start);
    if (length > MAX_STORE_BYTES) throw new TooManyPartsError();
    for (let at = start; at < end; at += 65_536)
      pieces.push(Buffer.from(await reader.bytes(at, Math.min(65_536, end - at))));
  }
  return Buffer.concat(pieces);
}
