import type { Caller } from '../caller.ts';
import { fingerprint } from './fingerprint.ts';
import type { KeyedRequest } from './once.ts';

/**
 * What an Idempotency-Key was sent with; undefined where none was.
 * @param path ids included
 * @param body as it was sent
 */
export function keyedRequest(
  { organization_id }: Pick<Caller, 'organization_id'>,
  key: string | undefined,
  path: string,
  body: unknown,
): KeyedRequest | undefined {
  if (key === undefined) return undefined;
  return { organization_id, key, scope: `POST ${path}`, fingerprint: fingerprint('POST', path, body) };
}
