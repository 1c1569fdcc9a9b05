import { createHash } from 'node:crypto';

/** A seed from 0 to 2³¹ − 1 that no other job has, so that a provider's job can be recognized by its input. */
export const uniqueSeed = (submitKey: string): number =>
  createHash('sha256').update(submitKey).digest().readUInt32BE(0) >>> 1;
