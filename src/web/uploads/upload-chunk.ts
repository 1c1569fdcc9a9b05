import { createTabStorage } from '#web/api/tab-storage.ts';

/** Small enough for slow connections and most proxies, large enough to be fast. */
const MAX_BYTES = 8_388_608;
/** Half of what nginx accepts unless it is told otherwise. */
const MIN_BYTES = 524_288;

const limits = createTabStorage<number>('emulsion.upload_chunk', 1);

/** Size of the largest request of an upload. */
export const uploadChunkBytes = (): number => limits.get('bytes') ?? MAX_BYTES;

/**
 * Chooses half the size of a request that a proxy rejected, for this tab.
 * @returns false if it was small already
 */
export function reduceUploadChunk(rejectedBytes: number): boolean {
  if (rejectedBytes <= MIN_BYTES) return false;
  limits.set('bytes', Math.max(MIN_BYTES, Math.min(uploadChunkBytes(), Math.ceil(rejectedBytes / 2))));
  return true;
}
