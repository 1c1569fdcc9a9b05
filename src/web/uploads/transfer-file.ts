import { DefaultHttpStack, DetailedError, type HttpResponse, Upload as TusUpload } from 'tus-js-client';
import { ENDPOINT_ROUTES } from '#contract/api/endpoint-routes.ts';
import { UPLOAD_ID_HEADER } from '#contract/api/headers.ts';
import type { Upload } from '#contract/resources/upload.ts';
import { api } from '#web/api/api.ts';
import { ApiError, NetworkError, parseErrorResponse, parseJson } from '#web/api/api-errors.ts';
import { reduceUploadChunk, uploadChunkBytes } from './upload-chunk.ts';
import type { TransferOptions } from './upload-queue.ts';

/** Without progress for this long, the connection is considered dead, even if the device is online. */
const STALL_TIMEOUT_MS = 45_000;
const VALIDATION_TIMEOUT_MS = 600_000;
/** After a lost response the offset may be stale; it is read again at once, up to five times. */
const CONFLICT_RETRY_DELAYS_MS = [0, 0, 0, 0, 0];

const WHOLE_FILE_PATH = ENDPOINT_ROUTES.create_upload.path;
const HEADERS = { accept: 'application/json' };

/** @throws {ApiError} @throws {NetworkError} @throws {DOMException} `AbortError` */
export function uploadWholeFile(file: File, options: TransferOptions): Promise<Upload> {
  return api.withSession(async (base_url) => {
    const response = await runTransfer<HttpResponse>(file, options, ({ onProgress, resolve, reject }) => {
      const body = new FormData();
      body.append('file', file);
      const request = new DefaultHttpStack({}).createRequest('POST', base_url + WHOLE_FILE_PATH);
      request.setHeader('accept', HEADERS.accept);
      request.setProgressHandler(onProgress);
      request.send(body).then(resolve, (error) => reject(new NetworkError(error)));
      return () => request.abort();
    });
    if (!isSuccess(response)) throw toResponseError(response);
    return parseJson(response.getBody()) as Upload;
  });
}

export interface ResumableOptions extends TransferOptions {
  path: string;
  tusUrl: string | undefined;
  onTusUrl: (tusUrl: string) => void;
}

/** Resumes at `tusUrl` if it is set. @throws {ApiError} @throws {NetworkError} @throws {DOMException} `AbortError` */
export async function uploadResumable(file: File, options: ResumableOptions): Promise<Upload> {
  const uploadId = await api.withSession(async (base_url) => {
    const endpoint = new URL(base_url + options.path, window.location.href).href;
    let { tusUrl } = options;
    const onTusUrl = (url: string) => {
      tusUrl = url;
      options.onTusUrl(url);
    };
    for (;;) {
      const chunkBytes = uploadChunkBytes();
      try {
        const target = { endpoint, chunkBytes, ...(tusUrl === undefined ? {} : { tusUrl }) };
        return await runTusUpload(file, target, { ...options, onTusUrl });
      } catch (error) {
        if (error instanceof ExpiredUploadError && tusUrl === options.tusUrl && tusUrl !== undefined)
          tusUrl = undefined;
        else if (!isProxyLimit(error) || !reduceUploadChunk(Math.min(chunkBytes, file.size))) throw error;
      }
    }
  });
  return api.call('get_upload', { params: { upload_id: uploadId }, signal: options.signal });
}

/** Whether a proxy in front of the service rejected a request as too large. */
export const isProxyLimit = (error: unknown): boolean =>
  error instanceof ApiError && error.isFromProxy && error.status === 413;

export const deleteResumable = (tusUrl: string): Promise<unknown> =>
  api.withSession(() => TusUpload.terminate(tusUrl, { headers: HEADERS })).catch(() => undefined);

/** The service no longer has the upload. A retry creates another one. */
class ExpiredUploadError extends NetworkError {}

interface TusTarget {
  endpoint: string;
  chunkBytes: number;
  tusUrl?: string;
}

function runTusUpload(
  file: File,
  { endpoint, chunkBytes, tusUrl }: TusTarget,
  options: ResumableOptions,
): Promise<string> {
  return runTransfer(file, options, ({ onProgress, resolve, reject }) => {
    const upload = new TusUpload(file, {
      // Without an endpoint the library reports that `uploadUrl` fails, instead of starting over after any status of 4xx.
      ...(tusUrl === undefined ? { endpoint } : { uploadUrl: tusUrl }),
      chunkSize: chunkBytes,
      headers: HEADERS,
      metadata: { filename: file.name },
      storeFingerprintForResuming: false,
      retryDelays: CONFLICT_RETRY_DELAYS_MS,
      onShouldRetry: ({ originalResponse }) => originalResponse?.getStatus() === 409,
      // `abort` has no effect before the first request of the library is under way.
      onBeforeRequest: () => options.signal.throwIfAborted(),
      onUploadUrlAvailable: () => {
        upload.url = reachableUrl(upload.url ?? '', endpoint);
        options.onTusUrl(upload.url);
      },
      onProgress,
      onChunkComplete: options.onAccepted,
      onSuccess: ({ lastResponse }) => {
        const uploadId = lastResponse.getHeader(UPLOAD_ID_HEADER);
        if (uploadId) resolve(uploadId);
        else reject(new NetworkError(undefined, 'unreadable'));
      },
      onError: (error) => reject(toTransferError(error)),
    });
    upload.start();
    return () => upload.abort();
  });
}

/** Replaces the origin by that of the endpoint: behind a proxy, the service may be mistaken about its own. */
function reachableUrl(location: string, endpoint: string): string {
  const { pathname, search } = new URL(location, endpoint);
  return new URL(pathname + search, endpoint).href;
}

interface TransferHandlers<T> {
  onProgress: (bytes: number) => void;
  resolve: (result: T) => void;
  reject: (error: unknown) => void;
}

/** @param start returns a function that aborts the transfer */
function runTransfer<T>(
  { size }: File,
  { signal, onSent, onAllSent }: TransferOptions,
  start: (handlers: TransferHandlers<T>) => () => unknown,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  return new Promise<T>((resolve, reject) => {
    signal.throwIfAborted();
    const setDeadline = (withinMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => stop(new NetworkError(undefined, 'timeout')), withinMs);
    };
    const onProgress = (bytes: number) => {
      const isAllSent = bytes >= size;
      setDeadline(isAllSent ? VALIDATION_TIMEOUT_MS : STALL_TIMEOUT_MS);
      onSent(Math.min(bytes, size));
      if (isAllSent) onAllSent();
    };
    const abort = start({ onProgress, resolve, reject });
    const stop = (error: unknown) => {
      abort();
      reject(error);
    };
    onAbort = () => stop(signal.reason);
    signal.addEventListener('abort', onAbort);
    setDeadline(STALL_TIMEOUT_MS);
  }).finally(() => {
    clearTimeout(timer);
    if (onAbort) signal.removeEventListener('abort', onAbort);
  });
}

const isSuccess = (response: HttpResponse) => response.getStatus() >= 200 && response.getStatus() < 300;

const toResponseError = (response: HttpResponse) =>
  parseErrorResponse(response.getStatus(), response.getBody(), (name) => response.getHeader(name) ?? null);

/** Statuses of a tus upload that is gone, or that expired or is of another organization, which look the same. */
const GONE_STATUSES: ReadonlySet<number> = new Set([403, 404, 410]);

function toTransferError(error: Error): Error {
  if (!(error instanceof DetailedError) || !error.originalResponse) return new NetworkError(error);
  const { originalRequest, originalResponse } = error;
  const status = originalResponse.getStatus();
  if (GONE_STATUSES.has(status) && originalRequest.getMethod() !== 'POST') return new ExpiredUploadError(error);
  if (isSuccess(originalResponse)) return new NetworkError(error, 'unreadable');
  return status === 409 ? new NetworkError(error) : toResponseError(originalResponse);
}
