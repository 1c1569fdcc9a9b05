import type { Config } from '#server/platform/core/settings/config.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { ReceiveError } from '#server/platform/core/receive-body.ts';

export type UploadLimits = Pick<Config, 'maxUploadBytes' | 'uploadStallSeconds' | 'uploadTimeoutSeconds'>;

export const invalidUploadError = (message: string, cause?: unknown): ApiError =>
  new ApiError('invalid_media_upload', message, { cause });

export const uploadTooLargeError = ({ maxUploadBytes }: UploadLimits, cause?: unknown): ApiError =>
  new ApiError('media_upload_too_large', `The file is larger than ${maxUploadBytes.toLocaleString('en-US')} bytes.`, {
    cause,
  });

export const receiveLimits = ({ uploadStallSeconds, uploadTimeoutSeconds }: UploadLimits) => ({
  stallMs: uploadStallSeconds * 1000,
  totalMs: uploadTimeoutSeconds * 1000,
});

const TIMEOUT_MESSAGES = {
  stalled: 'The upload stalled: no data arrived for too long. Check the connection and try again.',
  timeout: 'The upload took too long in total. Check the connection and try again.',
} as const;

export function toReceiveError(error: unknown): unknown {
  if (!(error instanceof ReceiveError)) return error;
  if (error.reason === 'gone') return invalidUploadError('The upload was interrupted. Try again.', error);
  return new ApiError('media_upload_timeout', TIMEOUT_MESSAGES[error.reason], { cause: error });
}
