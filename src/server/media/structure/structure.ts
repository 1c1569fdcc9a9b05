import { invalidMedia, type MediaError } from '../media-error.ts';

/** More parts than any honest file has; a walk over them must stay short. */
export const MAX_PARTS = 2_000_000;

export const cutShort = (): MediaError => invalidMedia('The file is cut short. Export or download it again.');
export const damaged = (): MediaError => invalidMedia('The file is damaged and cannot be read.');
export const holdsOther = (): MediaError =>
  invalidMedia('The file holds other data besides the media. Export it again without it.');
