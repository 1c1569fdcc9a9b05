import type { IncomingMessage } from 'node:http';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import type { UploadLimits } from '../upload-errors.ts';
import { toWriteError, toTusApiError } from './tus-errors.ts';

/** An answer of the protocol: it has no body. */
export interface TusResponse {
  status: number;
  headers: Record<string, string>;
}

/** What of a request the protocol goes by; who asks was found out before. */
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
 * A request to the protocol, as one that came, less what is not its business.
 * @param part.headers in place of those that came; null: none
 */
export function buildTusRequest(
  { headers }: IncomingMessage,
  method: string,
  part: { id?: string; body?: ReadableStream<Uint8Array>; headers?: Record<string, string | null> } = {},
): Request {
  const read = new Headers();
  for (const name of part.body ? BODY_REQUEST_HEADERS : REQUEST_HEADERS) {
    const given = part.headers?.[name];
    const value = given === undefined ? headers[name] : given;
    if (value != null) read.set(name, String(value));
  }
  const path = part.id === undefined ? RESUMABLE_UPLOADS_PATH : `${RESUMABLE_UPLOADS_PATH}/${part.id}`;
  // Only its path is looked at: what it answers with is relative.
  const url = new URL(path, 'http://localhost');
  return new Request(url, { method, headers: read, ...(part.body ? { body: part.body, duplex: 'half' } : {}) });
}

/** @throws {ApiError} what the protocol refuses; {StorageError}; what else kept it from answering */
export async function runTusRequest(limits: UploadLimits, work: Promise<Response>): Promise<TusResponse> {
  const response = await work.catch((error: unknown) => {
    throw toWriteError(error);
  });
  if (response.status >= 400) throw await toTusApiError(response, limits);
  const sent = RESPONSE_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: response.status, headers: Object.fromEntries(sent) };
}
