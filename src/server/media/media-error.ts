/**
 * A file is invalid, or processing it failed. `message` is for people, `cause` for the log.
 * - `invalid_media`: the file is at fault and fails again.
 * - `processing_failed`: the media process failed.
 * - `timeout`: processing exceeded its time limit.
 * - `busy`: too many files are waiting; this one is not at fault.
 * - `tools_missing`: ffmpeg is not installed.
 */
export class MediaError extends Error {
  readonly code: 'invalid_media' | 'processing_failed' | 'timeout' | 'busy' | 'tools_missing';

  constructor(code: MediaError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'MediaError';
    this.code = code;
  }
}

/** Creates an `invalid_media` error; `message` is for people. */
export const invalidMediaError = (message: string, cause?: unknown): MediaError =>
  new MediaError('invalid_media', message, { cause });
