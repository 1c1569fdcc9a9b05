import { createHash } from 'node:crypto';
import { canonicalJson } from '#server/platform/core/canonical-json.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { IdempotentRequest } from './with-idempotency.ts';

/**
 * Hashes what makes two requests equal: method, path and body as sent, without defaults. The order of keys does not
 * matter.
 * Decision: Idempotency
 */
export const requestFingerprint = (method: string, path: string, body: unknown): string =>
  createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest('hex');

/**
 * Builds the identity of a request from its Idempotency-Key; undefined if none was sent.
 * @param path with ids
 * @param body as sent
 */
export function createIdempotentRequest(
  { organization_id, person, sees_own_work_only }: Pick<Caller, 'organization_id' | 'person' | 'sees_own_work_only'>,
  key: string | undefined,
  path: string,
  body: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  // A replay must not show a member what somebody else created.
  const owner = sees_own_work_only ? ` of ${person?.id ?? ''}` : '';
  return { organization_id, key, scope: `POST ${path}${owner}`, fingerprint: requestFingerprint('POST', path, body) };
}
