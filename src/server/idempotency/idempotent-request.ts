import type { Caller } from '#server/core/caller.ts';
import { requestFingerprint } from './fingerprint.ts';
import type { IdempotentRequest } from './with-idempotency.ts';

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
