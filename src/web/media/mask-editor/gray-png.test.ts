import { expect, it } from 'vitest';
import { encodeGrayPng } from './gray-png.ts';

it('writes gray pixels of several bands as one PNG', async () => {
  const size = { widthPx: 3, heightPx: 4 };
  const bands = [Uint8Array.of(0, 255, 0, 128, 1, 2), Uint8Array.of(9, 9, 9, 255, 255, 255)];
  const png = await encodeGrayPng(size, bands);
  expect(png.type).toBe('image/png');
  const chunks = readChunks(new DataView(await png.arrayBuffer()));
  expect(chunks.map(({ type, crc }) => [type, crc])).toEqual([
    ['IHDR', expect.any(Number)],
    ['IDAT', expect.any(Number)],
    // The same in every PNG.
    ['IEND', 0xae426082],
  ]);
  expect([...(chunks[0]?.data ?? [])]).toEqual([0, 0, 0, 3, 0, 0, 0, 4, 8, 0, 0, 0, 0]);
  const deflated = new Blob([chunks[1]?.data ?? new Uint8Array()]).stream();
  const rows = await new Response(deflated.pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();
  expect([...new Uint8Array(rows)]).toEqual([0, 0, 255, 0, 0, 128, 1, 2, 0, 9, 9, 9, 0, 255, 255, 255]);
});

function readChunks(view: DataView<ArrayBuffer>) {
  const chunks: { type: string; data: Uint8Array<ArrayBuffer>; crc: number }[] = [];
  for (let at = 8; at < view.byteLength;) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...new Uint8Array(view.buffer, at + 4, 4));
    chunks.push({ type, data: new Uint8Array(view.buffer, at + 8, length), crc: view.getUint32(at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}
