import { join } from 'node:path';
import { validateReferenceUrl } from '#contract/reference-url.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { ownMediaOrigin } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { consumeRateLimit, createRateLimiter } from '#server/accounts/rate-limits/rate-limiter.ts';
import { mediaBusyError } from '#server/studio/assets/media-busy-error.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import type { MediaFileInfo } from '#server/platform/media/probe-file.ts';
import { toFailure } from '#server/studio/generations/failure.ts';
import { fetchReference } from './fetch-reference.ts';

interface ReadOptions {
  /** The key whose request it is. */
  owner: string;
  signal: AbortSignal;
}

export interface ExternalFiles {
  /** Counts towards the limit of a key. @throws {ApiError} 422 for a malformed URL, 429 */
  admit(keyId: string, url: string): Promise<void>;
  /**
   * Downloads the file behind a URL, passes it to `use` and deletes it. Call `admit` first.
   * @throws {ApiError} 400 if the file is unusable, 429 while too many are read; what `use` throws
   */
  read<T>(url: string, options: ReadOptions, use: (file: string, media: MediaFileInfo) => Promise<T>): Promise<T>;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 128 * 1_048_576;
const MAX_READS_PER_MINUTE = 30;
/** Per process. Each read may store `MAX_BYTES` on disk. */
const MAX_CONCURRENT = 4;

/** Reads files of other servers for a request that waits, within tighter limits than a generation. Decision: Reference check */
export function createExternalFiles(deps: Deps): ExternalFiles {
  const limits = { name: 'reference_check', points: MAX_READS_PER_MINUTE, window_seconds: 60, is_exact: true };
  const limiter = createRateLimiter(deps, limits);
  const config = { ...deps.config, maxReferenceBytes: Math.min(deps.config.maxReferenceBytes, MAX_BYTES) };
  let running = 0;

  return {
    async admit(key_id, url) {
      const problem = validateReferenceUrl(url, ownMediaOrigin(deps.config));
      if (problem) rejectUrl(422, problem);
      await consumeRateLimit(limiter, key_id);
    },

    async read(url, { owner, signal }, use) {
      if (running >= MAX_CONCURRENT)
        throw new ApiError('rate_limit_exceeded', 'Too many links are being checked. Try again in a moment.', {
          retry_after_seconds: 5,
        });
      running += 1;
      const downloadSignal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]);
      try {
        return await withTempDir(config.mediaDir, async (folder) => {
          const file = join(folder, 'medium');
          const options = { owner, isRequest: true, downloadSignal, signal };
          const media = await fetchReference({ ...deps, config }, url, file, options).catch((error: unknown) =>
            rejectFile(error, downloadSignal),
          );
          return use(file, media);
        });
      } finally {
        running -= 1;
      }
    },
  };
}

function rejectFile(error: unknown, downloadSignal: AbortSignal): never {
  if (error instanceof MediaError && error.code === 'busy') throw mediaBusyError(error);
  if (downloadSignal.aborted)
    return rejectUrl(400, 'The file could not be loaded within 15 seconds. Try again or upload it instead.', error);
  const failure = toFailure(error);
  if (!failure) throw error;
  return rejectUrl(400, failure.message, error);
}

/** @throws {ApiError} */
export function rejectUrl(status: 400 | 422, message: string, cause?: unknown): never {
  throw new ApiError('invalid_request', message, { status, details: [{ path: 'url', message }], cause });
}
