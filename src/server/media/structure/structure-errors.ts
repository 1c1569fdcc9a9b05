import { invalidMediaError, type MediaError } from '../media-error.ts';

/** More parts than any honest file has; a walk over them must stay short. */
export const MAX_PARTS = 2_000_000;

export const truncatedFileError = (): MediaError =>
  invalidMediaError('The file is incomplete. Export or download it again.');
export const damagedFileError = (): MediaError => invalidMediaError('The file is damaged and cannot be read.');
export const foreignContentError = (): MediaError =>
  invalidMediaError('The file contains other data besides the media. Export it again without that data.');
