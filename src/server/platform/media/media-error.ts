/**
 * `message` is a sentence for the user, `cause` for the log. `invalid_media`: the file is at fault and fails again;
 * `busy`: too many files are waiting, the file itself is fine; `tools_missing`: there is no suitable ffmpeg.
 */
export class MediaError extends Error {
  readonly code: 'invalid_media' | 'processing_failed' | 'timeout' | 'busy' | 'tools_missing';

  constructor(code: MediaError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'MediaError';
    this.code = code;
  }
}

/** @param message a sentence for the user */
export const invalidMediaError = (message: string, cause?: unknown): MediaError =>
  new MediaError('invalid_media', message, { cause });

/** More parts than any real file has; walking over them must stay fast. */
export const MAX_PARTS = 2_000_000;

export const truncatedFileError = (): MediaError =>
  invalidMediaError('The file is incomplete. Export or download it again.');
export const damagedFileError = (): MediaError => invalidMediaError('The file is damaged and cannot be read.');
export const tooManyPartsError = (): MediaError =>
  invalidMediaError('The file is made of too many parts. Export it again.');
export const foreignContentError = (): MediaError =>
  invalidMediaError('The file contains other data besides the media. Export it again without that data.');
