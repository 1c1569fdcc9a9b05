import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { C2PA_BOX_ID, walkBoxes } from '#server/platform/media/marks/read-marks.ts';
import { withByteReader } from '#server/platform/media/byte-reader.ts';

/** Top-level boxes that may change without changing the media. C2PA specification: BMFF-based hash. */
const LEFT_OUT = new Set(['ftyp', 'mfra', 'free', 'skip']);
export const BOX_BINDING = 'c2pa.hash.bmff.v3';

/**
 * Hashes the top-level boxes of an MP4, each after its offset, without reading the file into memory.
 * @returns SHA-256; null if there are more boxes than are read, or bytes outside of them
 */
export async function hashBoxes(file: string): Promise<Buffer | null> {
  const boxes = await withByteReader(file, async (reader) => {
    const found = [];
    let covered = 0;
    for await (const { type, whole, content } of walkBoxes(reader, { start: 0, end: reader.size_bytes })) {
      covered = whole.end;
      const isManifest = type === 'uuid' && (await reader.bytes(content.start, 16)).equals(C2PA_BOX_ID);
      if (!LEFT_OUT.has(type) && !isManifest) found.push(whole);
    }
    return covered === reader.size_bytes ? found : null;
  });
  if (!boxes) return null;
  const hash = createHash('sha256');
  for (const { start, end } of boxes) {
    const offset = Buffer.alloc(8);
    offset.writeBigUInt64BE(BigInt(start));
    hash.update(offset);
    for await (const piece of createReadStream(file, { start, end: end - 1 })) hash.update(piece as Buffer);
  }
  return hash.digest();
}

export const boxBinding = (hash: Buffer) => ({
  label: BOX_BINDING,
  data: {
    exclusions: [
      { xpath: '/uuid', data: [{ offset: 8, value: [...C2PA_BOX_ID] }] },
      ...[...LEFT_OUT].map((type) => ({ xpath: `/${type}` })),
    ],
    alg: 'sha256',
    hash: [...hash],
    name: 'jumbf manifest',
  },
});

/** At the end, because a box before the media would move every offset into it. */
export function appendManifest(file: string, manifest: Buffer): Promise<void> {
  const purpose = Buffer.concat([Buffer.alloc(4), Buffer.from('manifest\0'), Buffer.alloc(8)]);
  const content = Buffer.concat([Buffer.from('uuid'), C2PA_BOX_ID, purpose, manifest]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(content.length + size.length);
  return appendFile(file, Buffer.concat([size, content]));
}
