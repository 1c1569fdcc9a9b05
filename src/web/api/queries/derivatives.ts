import type { MediaItem } from '#contract/resources/media.ts';

const DERIVATIVES_WAIT_MS = 60_000;

/** Whether an item is so new that its thumbnails and previews are still being created. */
export const awaitsDerivatives = (
  { derivatives, created_at }: Pick<MediaItem, 'derivatives' | 'created_at'>,
  now_ms: number,
): boolean => derivatives === null && now_ms - Date.parse(created_at) < DERIVATIVES_WAIT_MS;
