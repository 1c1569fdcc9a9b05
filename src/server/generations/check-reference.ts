import { join } from 'node:path';
import { validateReferenceUrl } from '#contract/reference-url.ts';
import type { ReferenceCheck } from '#contract/resources/reference-check.ts';
import type { Caller } from '#server/core/caller.ts';
import { insecureOrigin } from '#server/core/config.ts';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';
import { consumeRateLimit, createRateLimiter } from '#server/rate-limits/rate-limiter.ts';
import { mediaBusyError } from '#server/assets/media-busy-error.ts';
import { MediaError } from '#server/media/media-error.ts';
import { toFailure } from './failure.ts';
import { type FetchReferenceDeps, fetchReference } from './fetch-reference.ts';
import { findLocalMedia, MEDIA_GONE_MESSAGE } from '#server/assets/find-stored-media.ts';
import { withTempDir } from '#server/assets/temp-dir.ts';

export type CheckReferenceDeps = FetchReferenceDeps & Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'secrets'>;
type CheckReference = (
  caller: Pick<Caller, 'organization_id' | 'key_id'>,
  url: string,
  signal: AbortSignal,
) => Promise<ReferenceCheck>;

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 128 * 1_048_576;
const MAX_CHECKS_PER_MINUTE = 30;
/** Per process. Each check may store `MAX_BYTES` on disk. */
const MAX_CONCURRENT = 4;

/**
 * Creates a function that checks the file behind a reference URL as a generation would, within tighter limits, and
 * deletes it afterwards. Own media are looked up and not fetched.
 */
export function createReferenceCheck(deps: CheckReferenceDeps): CheckReference {
  const options = { name: 'reference_check', points: MAX_CHECKS_PER_MINUTE, window_seconds: 60, is_exact: true };
  const limiter = createRateLimiter(deps, options);
  let running = 0;

  /** @throws {ApiError} 400 if the file is unusable, 422 for a malformed URL, 429 */
  return async ({ organization_id, key_id }, url, signal) => {
    const problem = validateReferenceUrl(url, insecureOrigin(deps.config));
    if (problem) reject(422, problem);
    await consumeRateLimit(limiter, key_id);
    const local = await findLocalMedia(deps, organization_id, url);
    if (local.own) {
      if (!local.medium) reject(400, MEDIA_GONE_MESSAGE);
      const { type, mime_type, size_bytes, duration_seconds } = local.medium;
      const facts = { type, mime_type, size_bytes, width: null, height: null, duration_seconds };
      return { object: 'reference_check', url, ...facts };
    }
    if (running >= MAX_CONCURRENT)
      throw new ApiError('rate_limit_exceeded', 'Too many links are being checked. Try again in a moment.', {
        retry_after_seconds: 5,
      });
    running += 1;
    try {
      return await fetchAndProbe(deps, url, key_id, signal);
    } finally {
      running -= 1;
    }
  };
}

async function fetchAndProbe(
  deps: CheckReferenceDeps,
  url: string,
  owner: string,
  signal: AbortSignal,
): Promise<ReferenceCheck> {
  const download_signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]);
  const config = { ...deps.config, max_reference_bytes: Math.min(deps.config.max_reference_bytes, MAX_BYTES) };
  try {
    return await withTempDir(config.media_dir, async (folder) => {
      const options = { owner, is_request: true, download_signal, signal };
      const media = await fetchReference({ ...deps, config }, url, join(folder, 'medium'), options);
      const { kind: type, mime_type, size_bytes, width, height, duration_seconds } = media;
      return { object: 'reference_check', url, type, mime_type, size_bytes, width, height, duration_seconds };
    });
  } catch (error) {
    if (error instanceof MediaError && error.code === 'busy') throw mediaBusyError(error);
    if (download_signal.aborted)
      return reject(400, 'The file could not be loaded within 15 seconds. Try again or upload it instead.', error);
    const failure = toFailure(error);
    if (!failure) throw error;
    return reject(400, failure.message, error);
  }
}

function reject(status: 400 | 422, message: string, cause?: unknown): never {
  throw new ApiError('invalid_request', message, { status, details: [{ path: 'url', message }], cause });
}
