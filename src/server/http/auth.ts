import type { FastifyRequest } from 'fastify';
import type { Auth, EndpointSpec } from '#contract/endpoint.ts';
import type { KeyKind } from '#contract/resources/api-key.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { findCaller } from '../keys/find-caller.ts';
import { ApiError } from './api-error.ts';
import type { RateLimit } from './rate-limit.ts';

const ACCEPTED = {
  none: [],
  bearer: ['organization', 'member'],
  organization: ['organization'],
  upload: ['organization', 'member', 'publishing'],
} as const satisfies Record<Auth, readonly KeyKind[]>;

const REFUSALS = {
  none: 'Your key is not valid for this.',
  bearer: 'A publishing credential can upload media and nothing else. Use an API key.',
  organization: 'This needs an organization key.',
  upload: 'Your key is not valid for this.',
} as const satisfies Record<Auth, string>;

/**
 * Finds out who calls and counts the request: against the key, or against the address where there is no valid key.
 * @returns undefined where the endpoint needs no key
 * @throws {ApiError} 401 or 429. Decision: Errors (order of judgement)
 */
export async function admit(
  deps: Pick<Deps, 'db' | 'clock' | 'log'> & { rate_limit: RateLimit },
  spec: Pick<EndpointSpec, 'auth'>,
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
): Promise<Caller | undefined> {
  if (spec.auth === 'none') {
    await deps.rate_limit.countAddress(request.ip);
    return undefined;
  }
  const accepted: readonly KeyKind[] = ACCEPTED[spec.auth];
  const key = bearerOf(request.headers.authorization);
  if (key !== null) await deps.rate_limit.refuseGuess(request.ip, key);
  const caller = key === null ? null : await findCaller(deps, key);
  if (caller && accepted.includes(caller.kind)) {
    await deps.rate_limit.countKey(caller.key_id);
    return caller;
  }
  // Guessing is limited by address.
  await deps.rate_limit.countAddress(request.ip);
  if (caller) throw new ApiError('authentication_error', REFUSALS[spec.auth]);
  throw new ApiError(
    'authentication_error',
    key === null ? 'Send an API key: Authorization: Bearer <key>.' : 'This key is not known, or it was revoked.',
  );
}

function bearerOf(header: string | undefined): string | null {
  const [, key] = /^Bearer +([\x21-\x7e]{1,512})$/i.exec(header ?? '') ?? [];
  return key ?? null;
}
