/**
 * A file is not usable media, or working on it failed. `message` is a sentence for the person, `cause` for the log.
 * - `invalid_media`: the file itself is at fault; the same file fails again.
 * - `processing_failed`: the media process ended badly.
 * - `timeout`: it took longer than it was given.
 * - `busy`: too many files wait to be read; nothing is wrong with this one.
 * - `tools_missing`: this installation has no ffmpeg that can read it.
 */
export class MediaError extends Error {
  readonly code: 'invalid_media' | 'processing_failed' | 'timeout' | 'busy' | 'tools_missing';

  constructor(code: MediaError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'MediaError';
    this.code = code;
  }
}

/** The file is at fault; `message` says how, for the person. */
export const invalidMediaError = (message: string, cause?: unknown): MediaError =>
  new MediaError('invalid_media', message, { cause });
