import { createHash } from 'node:crypto';
import { canonicalJson } from '#server/platform/core/canonical-json.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { currentIdempotencySource, type IdempotencySource } from './idempotency-source.ts';
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

type KeyOwner = Pick<Caller, 'organization_id' | 'key_id' | 'person' | 'sees_own_work_only'>;

/**
 * Whose requests to which path share their keys.
 * @param source null: keys of callers
 */
export function idempotencyScope(
  { key_id, person, sees_own_work_only }: Omit<KeyOwner, 'organization_id'>,
  path: string,
  source: IdempotencySource | null,
): string {
  if (source !== null) return `${source} ${key_id} POST ${path}`;
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
  caller: KeyOwner,
  key: string | undefined,
  path: string,
  body: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  const { organization_id } = caller;
  const scope = idempotencyScope(caller, path, currentIdempotencySource());
  return { organization_id, key, scope, fingerprint: requestFingerprint('POST', path, body) };
}
