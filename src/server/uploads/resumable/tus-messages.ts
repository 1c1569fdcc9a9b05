import type { IncomingMessage } from 'node:http';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import type { UploadLimits } from '../upload-errors.ts';
import { toWriteError, toTusApiError } from './tus-errors.ts';

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

/**
 * Builds a request to the tus server from an incoming one.
 * @param part.headers overrides incoming headers; null removes one
 */
export function buildTusRequest(
  { headers }: IncomingMessage,
  method: string,
  part: { id?: string; body?: ReadableStream<Uint8Array>; headers?: Record<string, string | null> } = {},
): Request {
  const tus_headers = new Headers();
  for (const name of part.body ? BODY_REQUEST_HEADERS : REQUEST_HEADERS) {
    const override = part.headers?.[name];
    const value = override === undefined ? headers[name] : override;
    if (value != null) tus_headers.set(name, String(value));
  }
  const path = part.id === undefined ? RESUMABLE_UPLOADS_PATH : `${RESUMABLE_UPLOADS_PATH}/${part.id}`;
  // Only the path matters, because the tus server returns relative locations.
  const url = new URL(path, 'http://localhost');
  return new Request(url, { method, headers: tus_headers, ...(part.body ? { body: part.body, duplex: 'half' } : {}) });
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
