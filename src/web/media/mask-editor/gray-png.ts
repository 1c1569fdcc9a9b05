import type { PixelDimensions } from '#web/media/zoom/zoom.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** 8 bits of gray; deflate, no interlace. */
const GRAY_8 = [8, 0, 0, 0, 0];

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(data, 8);
  let crc = -1;
  for (const byte of bytes.subarray(4, data.length + 8)) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  view.setUint32(data.length + 8, ~crc);
  return bytes;
}

/**
 * Writes a PNG of gray pixels band by band, since a canvas of a whole picture can be too large for the browser.
 * @param bands rows from top to bottom, one byte per pixel
 */
export async function encodeGrayPng(
  { widthPx, heightPx }: PixelDimensions,
  bands: Iterable<Uint8Array>,
): Promise<Blob> {
  const header = new Uint8Array(13);
  new DataView(header.buffer).setUint32(0, widthPx);
  new DataView(header.buffer).setUint32(4, heightPx);
  header.set(GRAY_8, 8);
  const deflate = new CompressionStream('deflate');
  const compressed = new Response(deflate.readable).arrayBuffer();
  const writer = deflate.writable.getWriter();
  for (const band of bands) {
    const rowCount = band.length / widthPx;
    // Each row begins with its filter, which is none.
    const rows = new Uint8Array((widthPx + 1) * rowCount);
    for (let row = 0; row < rowCount; row += 1)
      rows.set(band.subarray(row * widthPx, (row + 1) * widthPx), row * (widthPx + 1) + 1);
    await writer.write(rows);
  }
  await writer.close();
  const data = new Uint8Array(await compressed);
  return new Blob(
    [Uint8Array.from(SIGNATURE), chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', new Uint8Array())],
    {
      type: 'image/png',
    },
  );
}
