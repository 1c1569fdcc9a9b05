import { ApiError } from '#server/core/api-error.ts';
import { StorageError } from '#server/storage/storage.ts';
import { type UploadLimits, uploadTooLargeError } from '../upload-errors.ts';
import { resumableNotFoundError } from './lock-resumable.ts';

/** Converts an error response of the tus server to an `ApiError`. */
export async function toTusApiError(response: Response, limits: UploadLimits): Promise<ApiError> {
  const reason = (await response.text()).trim();
  const cause = new Error(`tus: ${response.status} ${reason}`);
  switch (response.status) {
    case 404:
    case 410:
      return resumableNotFoundError();
    case 409:
      return new ApiError(
        'upload_offset_conflict',
        'The offset does not match. Send HEAD to read the current offset and continue there.',
        {
          cause,
        },
      );
    case 412:
      return new ApiError('unsupported_tus_version', 'Send the header Tus-Resumable: 1.0.0.', { cause });
    case 413:
      return uploadTooLargeError(limits, cause);
    default:
      return new ApiError('invalid_media_upload', `The request does not follow the tus protocol: ${reason}`, { cause });
  }
}

/** The tus library reports failed writes as 500 without a cause. */
const isWriteError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status_code' in error && error.status_code === 500;

/** Distinct from the codes of an unreachable database. */
const DISK_CODES = new Set<unknown>([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EROFS',
  'ENOENT',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
]);

const isDiskError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DISK_CODES.has(error.code);

/** Converts disk errors to `StorageError`; returns any other error unchanged. */
export const toWriteError = (error: unknown): unknown =>
  isWriteError(error) || isDiskError(error)
    ? new StorageError('unavailable', 'The upload could not be written.', { cause: error })
    : error;
