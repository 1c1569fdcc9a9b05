import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#server/platform/core/api-error.ts';

/** `client=acme, project=autumn%20sale`: a tag is a value of the metadata. */
const TAGS_HEADER = 'x-emulsion-tags';
/** A JSON object of texts. */
const METADATA_HEADER = 'x-emulsion-metadata';
export const COMPAT_HEADERS = {
  allowed: [TAGS_HEADER, METADATA_HEADER],
  exposed: ['x-emulsion-cost-usd', 'x-emulsion-generation-id'],
};

const refuse = (header: string, message: string): never => {
  throw new ApiError('invalid_request', message, { status: 422, details: [{ path: header, message }] });
};

/** Reads the metadata of an order from the headers that other APIs lack. @throws {ApiError} 422 */
export function readMetadata(headers: IncomingHttpHeaders): Record<string, string> | null {
  const values = { ...readJson(headers[METADATA_HEADER]), ...readTags(headers[TAGS_HEADER]) };
  return Object.keys(values).length === 0 ? null : values;
}

function readJson(header: string | string[] | undefined): Record<string, string> {
  if (header === undefined) return {};
  const message = 'X-Emulsion-Metadata must be a JSON object of texts.';
  const value = parse(String(header));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(METADATA_HEADER, message);
  const entries = Object.entries(value);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
    return refuse(METADATA_HEADER, message);
  return Object.fromEntries(entries);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readTags(header: string | string[] | undefined): Record<string, string> {
  if (header === undefined) return {};
  return Object.fromEntries(String(header).split(',').map(readTag));
}

function readTag(pair: string): [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, Math.max(at, 0)).trim();
  if (name === '') refuse(TAGS_HEADER, 'X-Emulsion-Tags must be like: client=acme, project=autumn%20sale.');
  return [decode(name), decode(pair.slice(at + 1).trim())];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
