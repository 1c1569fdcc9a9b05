import type { Upload } from '#contract/resources/upload.ts';
import { api } from '#web/api.ts';
import { parseJson, readApiError } from '#web/api-errors.ts';
import { ENDPOINT_PATHS } from '#web/endpoint-paths.ts';
import { isGood, request } from '#web/uploads/request.ts';

export interface SendTools {
  signal: AbortSignal;
  /** Bytes that have left this device. */
  onSent: (bytes: number) => void;
  /** All of it has left; the service looks at it. */
  onAllSent: () => void;
}

const PATH = ENDPOINT_PATHS.create_upload.split(' ')[1] ?? '';

/**
 * Sends a file in one piece, as a form.
 * @throws {ApiError} refused @throws {NetworkError} no answer @throws {DOMException} `AbortError`
 */
export function sendWhole(file: File, { signal, onSent, onAllSent }: SendTools): Promise<Upload> {
  return api.lend(async (base_url, key) => {
    const body = new FormData();
    body.append('file', file);
    // The form around the file counts as sent, too.
    const report = (bytes: number) => onSent(Math.min(bytes, file.size));
    const url = base_url + PATH;
    const answer = await request({ method: 'POST', url, key, body, signal, onSent: report, onAllSent });
    if (!isGood(answer)) throw readApiError(answer.status, answer.text, answer.header);
    return parseJson(answer.text) as Upload;
  });
}
