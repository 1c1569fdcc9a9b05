import { NetworkError } from '#web/api/api-errors.ts';

export interface UploadRequest {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  url: string;
  key: string | null;
  headers?: Readonly<Record<string, string>>;
  body?: XMLHttpRequestBodyInit;
  signal?: AbortSignal | undefined;
  /** Bytes of the body that have left this device. */
  onSent?: (bytes: number) => void;
  /** All of it has left. */
  onAllSent?: () => void;
}

export interface UploadResponse {
  status: number;
  text: string;
  header: (name: string) => string | null;
}

/** A line that moves nothing for so long is dead, whatever the device believes. */
const STALL_TIMEOUT_MS = 45_000;
/** How long the service may look at a file. */
const VALIDATION_TIMEOUT_MS = 600_000;

/**
 * Sends a request and says how far its body is, which fetch does not. The key goes into its header and nowhere else.
 * @throws {NetworkError} no answer
 * @throws {DOMException} `AbortError`, when the signal says so
 */
export function sendUploadRequest({
  method,
  url,
  key,
  headers,
  body,
  signal,
  onSent,
  onAllSent,
}: UploadRequest): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    const given_up = () => reject(new DOMException('The upload was given up.', 'AbortError'));
    if (signal?.aborted) return given_up();
    const http = new XMLHttpRequest();
    const unreachable = () => reject(new NetworkError());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expect = (within_ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        unreachable();
        http.abort();
      }, within_ms);
    };
    const abort = () => http.abort();
    signal?.addEventListener('abort', abort, { once: true });
    http.open(method, url);
    http.setRequestHeader('accept', 'application/json');
    if (key) http.setRequestHeader('authorization', `Bearer ${key}`);
    for (const [name, value] of Object.entries(headers ?? {})) http.setRequestHeader(name, value);
    http.upload.addEventListener('progress', ({ loaded }) => {
      expect(STALL_TIMEOUT_MS);
      onSent?.(loaded);
    });
    http.upload.addEventListener('load', () => {
      expect(VALIDATION_TIMEOUT_MS);
      onAllSent?.();
    });
    http.addEventListener('abort', given_up);
    http.addEventListener('error', unreachable);
    http.addEventListener('load', () =>
      resolve({ status: http.status, text: http.responseText, header: (name) => http.getResponseHeader(name) }),
    );
    http.addEventListener('loadend', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
    expect(STALL_TIMEOUT_MS);
    http.send(body);
  });
}

export const isSuccess = ({ status }: UploadResponse): boolean => status >= 200 && status < 300;
