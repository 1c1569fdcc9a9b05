import { ApiError } from '#server/core/api-error.ts';
import { StorageError } from '#server/storage/storage.ts';
import { type UploadLimits, uploadTooLargeError } from '../upload-errors.ts';
import { resumableNotFoundError } from './lock-resumable.ts';

/** What the protocol refuses, in words and codes of ours. */
export async function toTusApiError(response: Response, limits: UploadLimits): Promise<ApiError> {
  const said = (await response.text()).trim();
  const cause = new Error(`tus: ${response.status} ${said}`);
  switch (response.status) {
    case 404:
    case 410:
      return resumableNotFoundError();
    case 409:
      return new ApiError(
        'upload_offset_conflict',
        'The upload stands elsewhere. Ask with HEAD where, and go on there.',
        {
          cause,
        },
      );
    case 412:
      return new ApiError('unsupported_tus_version', 'Send the header Tus-Resumable: 1.0.0.', { cause });
    case 413:
      return uploadTooLargeError(limits, cause);
    default:
      return new ApiError('invalid_media_upload', `This is no valid request of the tus protocol: ${said}`, { cause });
  }
}

/** What the library says where a file could not be written, without saying why. */
const isWriteError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'status_code' in error && error.status_code === 500;

/** Those of a database that is away are others. */
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

/** A fault that kept the protocol from answering: of the disk, where it is not known better. */
export const toWriteError = (error: unknown): unknown =>
  isWriteError(error) || isDiskError(error)
    ? new StorageError('unavailable', 'The upload could not be written.', { cause: error })
    : error;
