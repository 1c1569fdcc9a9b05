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

/** Whose requests to which path share their keys. */
export function idempotencyScope(
  { person, sees_own_work_only }: Pick<Caller, 'person' | 'sees_own_work_only'>,
  path: string,
): string {
  // A replay must not show a member what somebody else created.
  const owner = sees_own_work_only ? ` of ${person?.id ?? ''}` : '';
  return `POST ${path}${owner}`;
}

/**
 * Builds the identity of a request from its Idempotency-Key; undefined if none was sent.
 * @param path with ids
 * @param body as sent
 */
export function createIdempotentRequest(
  caller: Pick<Caller, 'organization_id' | 'person' | 'sees_own_work_only'>,
  key: string | undefined,
  path: string,
  body: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  const { organization_id } = caller;
  const scope = idempotencyScope(caller, path);
  return { organization_id, key, scope, fingerprint: requestFingerprint('POST', path, body) };
}
