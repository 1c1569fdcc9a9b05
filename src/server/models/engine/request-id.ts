import type { EngineError } from './engine.ts';
import { UpstreamStatusError } from './upstream-errors.ts';
import type { UpstreamHandle } from './upstream.ts';

const MAX_CHARACTERS = 200;

/** Returns the id of a job at its provider in stored form; null if it is not a valid id. */
export function parseRequestId(value: unknown): string | null {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text.length <= MAX_CHARACTERS && /^[\x21-\x7e]+$/.test(text) ? text : null;
}

/** The id in a handle: the value that is named so, or the only one. */
export function handleRequestId(handle: UpstreamHandle): string | null {
  const values = Object.entries(handle);
  const [, id] = values.find(([name]) => /(^|_)id$/.test(name)) ?? (values.length === 1 ? values[0] : undefined) ?? [];
  return parseRequestId(id);
}

export const headerRequestId = (headers: Headers): string | null => parseRequestId(headers.get('x-request-id'));

/** The id of a request that the provider rejected. */
export const errorRequestId = ({ cause }: EngineError): string | null =>
  cause instanceof UpstreamStatusError ? headerRequestId(cause.headers) : null;
