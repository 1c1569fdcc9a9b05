import type { Upload } from '#contract/resources/upload.ts';
import { type ApiError, NetworkError, readApiError } from '#web/api-errors.ts';

export interface SendFileOptions {
  /** Share that has left this device, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

type Answer = { ok: true; upload: Upload } | { ok: false; error: ApiError };

/**
 * Sends one file as a form. XMLHttpRequest, because fetch does not say how much has been sent.
 * @throws {NetworkError} no answer
 * @throws {DOMException} `AbortError`, when the signal says so
 */
export function sendFile(
  url: string,
  file: File,
  key: string | null,
  { onProgress, signal }: SendFileOptions = {},
): Promise<Answer> {
  const form = new FormData();
  form.append('file', file);
  return new Promise((resolve, reject) => {
    const given_up = () => reject(new DOMException('The upload was given up.', 'AbortError'));
    if (signal?.aborted) return given_up();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.open('POST', url);
    request.setRequestHeader('accept', 'application/json');
    if (key) request.setRequestHeader('authorization', `Bearer ${key}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0));
    request.addEventListener('abort', given_up);
    request.addEventListener('error', () => reject(new NetworkError()));
    request.addEventListener('timeout', () => reject(new NetworkError()));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.addEventListener('load', () => {
      const failed = () => ({
        ok: false as const,
        error: readApiError(request.status, request.responseText, (name) => request.getResponseHeader(name)),
      });
      if (request.status < 200 || request.status >= 300) return resolve(failed());
      try {
        resolve({ ok: true, upload: JSON.parse(request.responseText) as Upload });
      } catch (error) {
        reject(new NetworkError(error));
      }
    });
    request.send(form);
  });
}
