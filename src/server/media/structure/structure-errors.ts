import { invalidMediaError, type MediaError } from '../media-error.ts';

/** More parts than any real file has; walking over them must stay fast. */
export const MAX_PARTS = 2_000_000;

export const truncatedFileError = (): MediaError =>
  invalidMediaError('The file is incomplete. Export or download it again.');
export const damagedFileError = (): MediaError => invalidMediaError('The file is damaged and cannot be read.');
export const foreignContentError = (): MediaError =>
  invalidMediaError('The file contains other data besides the media. Export it again without that data.');
