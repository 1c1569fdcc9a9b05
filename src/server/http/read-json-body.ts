import type { IncomingMessage } from 'node:http';
import type { EndpointSpec } from '#contract/api/endpoint.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { unreadableRequestError } from './errors.ts';
import { takeHandedBody } from './handed-body.ts';
import { receiveBody, ReceiveError } from '#server/platform/core/receive-body.ts';
import { MAX_VALUES, tooManyValuesMessage } from '#server/platform/core/validate-json-value.ts';

const TIMEOUT_MS = 30_000;
const utf8 = new TextDecoder('utf-8', { fatal: true });
const JSON_CONTENT_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Reads a JSON body, or takes the one that this process handed over; returns undefined if there is none.
 * @throws {ApiError} 413 beyond `maxBytes`; for an unreadable body the error that the endpoint lists
 */
export async function readJsonBody(incoming: IncomingMessage, spec: EndpointSpec, maxBytes: number): Promise<unknown> {
  const handed = takeHandedBody();
  if (handed && handed.bytes > maxBytes) throw bodyTooLargeError(spec, maxBytes);
  return handed ? handed.value : parseJsonBody(incoming, spec, await readBytes(incoming, spec, maxBytes));
}

/** @returns undefined for no bytes @throws {ApiError} for an unreadable body the error that the endpoint lists */
export function parseJsonBody({ headers }: IncomingMessage, spec: EndpointSpec, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!JSON_CONTENT_TYPE.test(headers['content-type'] ?? '')) {
    throw unreadableRequestError(spec, 'Send JSON, with Content-Type: application/json.');
  }
  const maxValues = spec.maxJsonValues ?? MAX_VALUES;
  if (exceedsValueCount(bytes, maxValues)) throw unreadableRequestError(spec, tooManyValuesMessage(maxValues));
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return value;
  } catch (cause) {
    throw unreadableRequestError(spec, 'The body is not valid JSON.', cause);
  }
}

async function readBytes(incoming: IncomingMessage, spec: EndpointSpec, maxBytes: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLargeError(spec, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  const append = (chunk: Buffer): void => {
    size += chunk.length;
    if (size > maxBytes) throw bodyTooLargeError(spec, maxBytes);
    chunks.push(chunk);
  };
  try {
    await receiveBody(incoming, append, { totalMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof ReceiveError) throw unreadableRequestError(spec, 'The body did not arrive completely.', error);
    throw error;
  }
  return Buffer.concat(chunks);
}

/** Endpoints without a body list no 413. */
export const bodyTooLargeError = (spec: EndpointSpec, maxBytes: number): ApiError =>
  spec.body
    ? new ApiError('invalid_request', `The body is larger than ${maxBytes.toLocaleString('en-US')} bytes.`, {
        status: 413,
      })
    : new ApiError('invalid_request', 'This endpoint takes no body.', { status: 422 });

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT] = Buffer.from('"\\,[{');

/**
 * Whether JSON text contains more than `max` values, nested ones included. Counts before parsing: parsing 100,000
 * properties of one object takes 100 times as long as scanning their bytes.
 */
function exceedsValueCount(json: Buffer, max: number): boolean {
  let count = 1;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if ((byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) && (count += 1) > max) return true;
  }
  return false;
}
