export const SAMPLE_RATE_HZ = 48_000;

/** Encodes 16-bit stereo from samples of -1 to 1; louder samples are soft-clipped. */
export function toWav(left: Float32Array, right: Float32Array): Uint8Array<ArrayBuffer> {
  const data_bytes = left.length * 4;
  const file = new Uint8Array(44 + data_bytes);
  const view = new DataView(file.buffer);
  const text = (at: number, value: string): void =>
    value.split('').forEach((char, index) => view.setUint8(at + index, char.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, 36 + data_bytes, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, SAMPLE_RATE_HZ, true);
  view.setUint32(28, SAMPLE_RATE_HZ * 4, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, data_bytes, true);
  for (let index = 0; index < left.length; index++) {
    view.setInt16(44 + index * 4, Math.tanh(left[index] ?? 0) * 32_000, true);
    view.setInt16(46 + index * 4, Math.tanh(right[index] ?? 0) * 32_000, true);
  }
  return file;
}
