import { ApiError } from '#server/core/api-error.ts';
import type { MediaError } from '#server/media/media-error.ts';

/** What a request is told that would wait too long for its file to be read. */
export const mediaBusyError = (error: MediaError): ApiError =>
  new ApiError('service_unavailable', error.message, { retry_after_seconds: 15, cause: error });
