import type { Caller } from '#server/core/caller.ts';
import type { IdempotentRequest } from './with-idempotency.ts';
import { createHash } from 'node:crypto';

/**
 * What makes two requests the same: method, path and body as sent, before defaults; the order of keys does not count.
 * Decision: Idempotency
 */
export const requestFingerprint = (method: string, path: string, body: unknown): string =>
  createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest('hex');

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
}

/**
 * What an Idempotency-Key was sent with; undefined where none was.
 * @param path ids included
 * @param body as it was sent
 */
export function createIdempotentRequest(
  { organization_id }: Pick<Caller, 'organization_id'>,
  key: string | undefined,
  path: string,
  body: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  return { organization_id, key, scope: `POST ${path}`, fingerprint: requestFingerprint('POST', path, body) };
}
