import type { FastifyRequest } from 'fastify';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { Auth } from '#contract/endpoint-routes.ts';
import type { KeyKind } from '#contract/resources/api-key.ts';
import type { Caller } from '#server/core/caller.ts';
import type { Deps } from '#server/deps.ts';
import { findCaller } from '#server/keys/find-caller.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { RateLimit } from './rate-limit.ts';

const ACCEPTED_KEY_KINDS = {
  none: [],
  bearer: ['organization', 'member'],
  organization: ['organization'],
  upload: ['organization', 'member', 'publishing'],
} as const satisfies Record<Auth, readonly KeyKind[]>;

const WRONG_KEY_MESSAGES = {
  none: 'This key does not allow this request.',
  bearer: 'A publishing key can only upload files. Use an organization key or a member key.',
  organization: 'This requires an organization key.',
  upload: 'This key does not allow this request.',
} as const satisfies Record<Auth, string>;

/**
 * Authenticates a request and counts it against its key, or against its address if it has no valid key.
 * @returns undefined if the endpoint needs no key
 * @throws {ApiError} 401 or 429. Decision: Order of checks
 */
export async function authenticate(
  deps: Pick<Deps, 'db' | 'clock' | 'log'> & { rate_limit: RateLimit },
  spec: Pick<EndpointSpec, 'auth'>,
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
): Promise<Caller | undefined> {
  if (spec.auth === 'none') {
    await deps.rate_limit.countAddress(request.ip);
    return undefined;
  }
  const accepted: readonly KeyKind[] = ACCEPTED_KEY_KINDS[spec.auth];
  const key = parseBearerToken(request.headers.authorization);
  if (key !== null) await deps.rate_limit.rejectUnknownKey(request.ip, key);
  const caller = key === null ? null : await findCaller(deps, key);
  if (caller && accepted.includes(caller.kind)) {
    await deps.rate_limit.countKey(caller.key_id);
    return caller;
  }
  await deps.rate_limit.countAddress(request.ip);
  if (caller) throw new ApiError('authentication_error', WRONG_KEY_MESSAGES[spec.auth]);
  throw new ApiError(
    'authentication_error',
    key === null ? 'Send an API key: Authorization: Bearer <key>.' : 'This key is unknown or was revoked.',
  );
}

function parseBearerToken(header: string | undefined): string | null {
  const [, key] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header ?? '') ?? [];
  return key ?? null;
}
