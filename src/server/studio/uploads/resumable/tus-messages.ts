import type { IncomingMessage } from 'node:http';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { type UploadLimits, uploadTooLargeError } from '#server/studio/uploads/upload-errors.ts';
import { resumableNotFoundError } from './lock-resumable.ts';

/** A response of the tus server, which never has a body. */
export interface TusResponse {
  status: number;
  headers: Record<string, string>;
}

/** The headers that the tus server needs; the caller is already authenticated. */
const REQUEST_HEADERS = [
  'tus-resumable',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'upload-offset',
  'upload-concat',
] as const;
const BODY_REQUEST_HEADERS = [...REQUEST_HEADERS, 'content-type', 'content-length'] as const;
const RESPONSE_HEADERS = [
  'location',
  'upload-offset',
  'upload-length',
  'upload-defer-length',
  'upload-metadata',
  'tus-extension',
  'tus-max-size',
] as const;

/** @param part.headers overrides incoming headers; null removes one */
export function buildTusRequest(
  { headers }: IncomingMessage,
  method: string,
  part: { id?: string; body?: ReadableStream<Uint8Array>; headers?: Record<string, string | null> } = {},
): Request {
  const tusHeaders = new Headers();
  for (const name of part.body ? BODY_REQUEST_HEADERS : REQUEST_HEADERS) {
    const override = part.headers?.[name];
    const value = override === undefined ? headers[name] : override;
    if (value != null) tusHeaders.set(name, String(value));
  }
  const path = part.id === undefined ? RESUMABLE_UPLOADS_PATH : `${RESUMABLE_UPLOADS_PATH}/${part.id}`;
  // Only the path matters, because the tus server returns relative locations.
  const url = new URL(path, 'http://localhost');
  return new Request(url, { method, headers: tusHeaders, ...(part.body ? { body: part.body, duplex: 'half' } : {}) });
}

/** @throws {ApiError} for error responses; {StorageError}; any other fault */
export async function runTusRequest(limits: UploadLimits, work: Promise<Response>): Promise<TusResponse> {
  const response = await work.catch((error: unknown) => {
    throw toWriteError(error);
  });
  if (response.status >= 400) throw await toTusApiError(response, limits);
  const entries = RESPONSE_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(entries) };
}

async function toTusApiError(response: Response, limits: UploadLimits): Promise<ApiError> {
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
const toWriteError = (error: unknown): unknown =>
  isWriteError(error) || isDiskError(error)
    ? new StorageError('unavailable', 'The upload could not be written.', { cause: error })
    : error;
