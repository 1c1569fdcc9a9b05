import type { Upload } from '#contract/resources/upload.ts';
import { api } from '#web/api/api.ts';
import { parseJson, parseApiError } from '#web/api/api-errors.ts';
import { ENDPOINT_ROUTES } from '#contract/endpoint-routes.ts';
import { isSuccess, sendUploadRequest } from './send-upload-request.ts';

export interface TransferOptions {
  signal: AbortSignal;
  /** Bytes that have left this device. */
  onSent: (bytes: number) => void;
  /** All of it has left; the service looks at it. */
  onAllSent: () => void;
}

const { path: PATH } = ENDPOINT_ROUTES.create_upload;

/**
 * Sends a file in one piece, as a form.
 * @throws {ApiError} refused @throws {NetworkError} no answer @throws {DOMException} `AbortError`
 */
export function uploadWholeFile(file: File, { signal, onSent, onAllSent }: TransferOptions): Promise<Upload> {
  return api.withCredential(async (base_url, key) => {
    const body = new FormData();
    body.append('file', file);
    // The form around the file counts as sent, too.
    const report = (bytes: number) => onSent(Math.min(bytes, file.size));
    const url = base_url + PATH;
    const answer = await sendUploadRequest({ method: 'POST', url, key, body, signal, onSent: report, onAllSent });
    if (!isSuccess(answer)) throw parseApiError(answer.status, answer.text, answer.header);
    return parseJson(answer.text) as Upload;
  });
}
