import { createHash } from 'node:crypto';

const digest = (submit_key: string): Buffer => createHash('sha256').update(submit_key).digest();

/** Derives a prompt id: ComfyUI accepts a lower-case UUID from the client. Version 8 leaves its bits to us. */
export function derivePromptId(submit_key: string): string {
  const bytes = digest(submit_key).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * 0 to 2^31 - 1, which is the most that partner nodes take. The same for one submit key, so that ComfyUI serves a
 * repeated job from its cache.
 */
export const deriveSeed = (submit_key: string): number => digest(submit_key).readUInt32BE(16) >>> 1;
