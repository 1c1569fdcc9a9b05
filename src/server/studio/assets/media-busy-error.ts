import { ApiError } from '#server/platform/core/api-error.ts';
import type { MediaError } from '#server/platform/media/media-error.ts';

export const mediaBusyError = (error: MediaError): ApiError =>
  new ApiError('service_unavailable', error.message, { retry_after_seconds: 15, cause: error });
